// Proposals about what is open to their author and about what no longer is, by role. The tables are the contract. Of
// what may not be read it does not show whether it is private, a draft or in the trash: PATCH has the same 403 for
// each, so proposing has it, too. Callers who could change it learn that it is in the trash, and what to do (409).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { told } from '../support/rights-table.ts';
import { type Answer, type As, type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('rights on proposals, by the state of what they are about');
const daybook = await startTestService();

/** `contributor` has made the proposal, `author` what it is about. */
const ROLES = [
  'anonymous',
  'subscriber',
  'contributor',
  'otherContributor',
  'otherAuthor',
  'author',
  'editor',
] as const;
type Role = (typeof ROLES)[number];

/** `trash/draft` was a draft when it was thrown away. */
const STATES = ['publish', 'private', 'draft', 'trash/publish', 'trash/private', 'trash/draft'] as const;
type State = (typeof STATES)[number];
type Table = { readonly [S in State]: readonly string[] };

function table(text: string): Table {
  const lines = text.trim().split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/)).map(([state, ...words]) => [state, words] as const);
  assert.equal(
    rows.map(([state, words]) => [state, words.length]),
    STATES.map((state) => [state, ROLES.length]),
  );
  return Object.fromEntries(rows) as Table; // Its lines are the states, as was just seen.
}

//                 anonymous subscriber contributor otherContributor otherAuthor author editor
const PROPOSE = table(`
  publish          no        no         made        made             made        made   made
  private          no        no         no          no               no          made   made
  draft            no        no         no          no               no          made   made
  trash/publish    no        no         no          no               no          trash  trash
  trash/private    no        no         no          no               no          trash  trash
  trash/draft      no        no         no          no               no          trash  trash
`);
/** The proposal itself, and a comment on it. */
const READ = table(`
  publish          no        no         ok          unknown          unknown     ok     ok
  private          no        no         unknown     unknown          unknown     ok     ok
  draft            no        no         unknown     unknown          unknown     ok     ok
  trash/publish    no        no         unknown     unknown          unknown     ok     ok
  trash/private    no        no         unknown     unknown          unknown     ok     ok
  trash/draft      no        no         unknown     unknown          unknown     ok     ok
`);
/** The target as it would be: a read of the target, and of a proposal that there is not. */
const IN_PLACE = table(`
  publish          no        unknown    ok          unknown          unknown     ok     ok
  private          no        unknown    unknown     unknown          unknown     ok     ok
  draft            no        unknown    unknown     unknown          unknown     ok     ok
  trash/publish    no        unknown    unknown     unknown          unknown     trash  trash
  trash/private    no        unknown    unknown     unknown          unknown     trash  trash
  trash/draft      no        unknown    unknown     unknown          unknown     trash  trash
`);
/** Among other things to come, for readers of all histories. */
const AHEAD = table(`
  publish          refused   refused    refused     refused          refused     refused ok
  private          refused   refused    refused     refused          refused     refused ok
  draft            refused   refused    refused     refused          refused     refused ok
  trash/publish    refused   refused    refused     refused          refused     refused trash
  trash/private    refused   refused    refused     refused          refused     refused trash
  trash/draft      refused   refused    refused     refused          refused     refused trash
`);
/** By its author, and by those who judge it. */
const REVISE = table(`
  publish          no        no         ok          unknown          unknown     ok     ok
  private          no        no         unknown     unknown          unknown     ok     ok
  draft            no        no         unknown     unknown          unknown     ok     ok
  trash/publish    no        no         unknown     unknown          unknown     trash  trash
  trash/private    no        no         unknown     unknown          unknown     trash  trash
  trash/draft      no        no         unknown     unknown          unknown     trash  trash
`);
const APPROVE = table(`
  publish          no        no         own         unknown          unknown     ok     closed
  private          no        no         unknown     unknown          unknown     ok     closed
  draft            no        no         unknown     unknown          unknown     ok     closed
  trash/publish    no        no         unknown     unknown          unknown     trash  trash
  trash/private    no        no         unknown     unknown          unknown     trash  trash
  trash/draft      no        no         unknown     unknown          unknown     trash  trash
`);
/** Where it was approved there is nothing to withdraw. */
const WITHDRAW = table(`
  publish          no        no         closed      unknown          unknown     no     no
  private          no        no         unknown     unknown          unknown     no     no
  draft            no        no         unknown     unknown          unknown     no     no
  trash/publish    no        no         unknown     unknown          unknown     no     no
  trash/private    no        no         unknown     unknown          unknown     no     no
  trash/draft      no        no         unknown     unknown          unknown     no     no
`);

const WORDS: { readonly [word: string]: string } = {
  ok: '200',
  made: '201',
  no: '403 rest_forbidden',
  unknown: '404 rest_proposal_not_found',
  own: '403 rest_own_proposal',
  trash: '409 rest_target_in_trash',
  closed: '409 rest_proposal_closed',
  refused: '400 rest_invalid_param',
};

const expected = (word: string, role: Role): string =>
  role === 'anonymous' && word === 'no' ? '401 rest_forbidden' : (WORDS[word] ?? word);

const KINDS = { events: (title: string) => someEvent({ title }), venues: (venue: string) => ({ venue }) } as const;
type Kind = keyof typeof KINDS;

/** What the contributor has proposed while it was public, which is in this state now. */
async function proposed(kind: Kind, state: State): Promise<{ target: string; proposal: string; id: number }> {
  const target = `/${kind}/${(await daybook.created('author', kind, KINDS[kind](state))).id}`;
  const { body, status, text } = await daybook.request('contributor', 'POST', `${target}/proposals`, {
    description: state,
  });
  assert.is(status, 201, text);
  const [last = '', before] = state.split('/').toReversed();
  if (last !== 'publish') await daybook.request('editor', 'PATCH', target, { status: last });
  if (before !== undefined) await daybook.request('editor', 'DELETE', target);
  return { target, proposal: `/proposals/${body.id}`, id: body.id };
}

for (const kind of ['events', 'venues'] as const)
  for (const state of STATES)
    test(`${kind}, ${state}`, async () => {
      const { target, proposal, id } = await proposed(kind, state);
      let count = 0;
      const send = (as: As, path: string, body: Body) => daybook.request(as, 'POST', path, body);
      const steps: readonly [string, Table, (as: Role) => Promise<Answer>][] = [
        ['propose', PROPOSE, (as) => send(as, `${target}/proposals`, { description: `Wish ${++count}` })],
        ['read', READ, (as) => daybook.get(proposal, as)],
        ['comment', READ, (as) => send(as, `${proposal}/comments`, { text: 'So.' })],
        ['see in place', IN_PLACE, (as) => daybook.get(`${target}?proposal=${id}`, as)],
        ['see ahead', AHEAD, (as) => daybook.get(`/${kind}?with=proposal:${id}`, as)],
        ['revise', REVISE, (as) => send(as, `${target}/proposals`, { revises: id, description: `Wish ${++count}` })],
        ['approve', APPROVE, (as) => send(as, `${proposal}/approve`, {})],
        ['withdraw', WITHDRAW, (as) => send(as, `${proposal}/withdraw`, {})],
      ];
      for (const [step, rights, take] of steps)
        for (const [at, role] of ROLES.entries())
          assert.is(told(await take(role)), expected(rights[state][at] ?? '', role), `${role}: ${step}`);
      const { body } = await daybook.get('/proposals?per_page=100', 'contributor');
      const listed = body.proposals.some((one: Body) => one.id === id);
      assert.is(listed, state === 'publish', 'the list shows what can be read');
    });

test.after(() => daybook.close());
test.run();
