// Random rules of review, and random writes under them, held against a naive oracle: made at once, proposed, or refused;
// and whose approvals a proposal then needs.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('writing under random rules of review');

test.before(async (context) => {
  context.daybook = await startTestService();
  // With two editors and an administrator, two approvals are never too many.
  const deputy = context.daybook.userId('otherAuthor');
  const { status } = await context.daybook.request('administrator', 'PATCH', `/users/${deputy}`, { role: 'editor' });
  assert.is(status, 200);
});
test.after(({ daybook }) => daybook.close());

const ROLE_OF = {
  administrator: 'administrator',
  editor: 'editor',
  otherAuthor: 'editor',
  author: 'author',
  contributor: 'contributor',
  subscriber: 'subscriber',
} as const satisfies { readonly [Who in As]?: string };
type Who = keyof typeof ROLE_OF;
type Role = (typeof ROLE_OF)[Who];
const USERS = Object.keys(ROLE_OF) as readonly Who[]; // An object of its own has no other keys.

type Collection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags';
type Action = 'create' | 'change' | 'delete';
type Whose = 'own' | 'other';

/** What is sent: a new one, and another name for it under the member that has it. */
const BODIES: { readonly [C in Collection]: { readonly name: string; readonly body: (name: string) => object } } = {
  events: { name: 'title', body: (title) => someEvent({ title }) },
  venues: { name: 'venue', body: (venue) => ({ venue }) },
  organizers: { name: 'organizer', body: (organizer) => ({ organizer }) },
  categories: { name: 'name', body: (name) => ({ name }) },
  tags: { name: 'name', body: (name) => ({ name }) },
};
const isTerm = (collection: Collection): boolean => collection === 'categories' || collection === 'tags';

/** The rights on posts, by hand; posts of others are published, those of contributors are not. */
const MAY_WRITE_POSTS: { readonly [R in Role]: readonly string[] } = {
  administrator: ['create own', 'change own', 'delete own', 'change other', 'delete other'],
  editor: ['create own', 'change own', 'delete own', 'change other', 'delete other'],
  author: ['create own', 'change own', 'delete own'],
  contributor: ['create own', 'change own', 'delete own'],
  subscriber: [],
};
const MANAGE: { readonly [collection: string]: readonly Role[] } = {
  categories: ['administrator', 'editor', 'author'],
  tags: ['administrator', 'editor'],
};
const REVIEWERS: readonly Role[] = ['administrator', 'editor'];

interface Rules extends Readonly<Partial<Record<Role, 'direct' | 'review'>>> {
  readonly approvals: number;
  readonly bypass: boolean;
}

interface Case {
  readonly collection: Collection;
  readonly rules: Rules;
  readonly who: Who;
  readonly action: Action;
  readonly whose: Whose;
  readonly isBypassing: boolean;
  /** Who tries to approve it, one after the other, some of them again. */
  readonly approving: readonly Who[];
}

const mode = fc.constantFrom('direct' as const, 'review' as const);
const aCase: fc.Arbitrary<Case> = fc.record({
  collection: fc.constantFrom<Collection>('events', 'venues', 'organizers', 'categories', 'tags'),
  rules: fc.record({
    ...{ contributor: mode, author: mode, editor: mode, administrator: mode },
    ...{ approvals: fc.integer({ min: 1, max: 2 }), bypass: fc.boolean() },
  }),
  who: fc.constantFrom(...USERS),
  action: fc.constantFrom<Action>('create', 'change', 'delete'),
  whose: fc.constantFrom<Whose>('own', 'other'),
  isBypassing: fc.boolean(),
  approving: fc.array(fc.constantFrom(...USERS), { minLength: 4, maxLength: 12 }),
});

type Outcome = 'made' | 'proposed' | 'forbidden' | 'bypass refused';

function expected({ collection, rules, who, action, whose, isBypassing }: Case): Outcome {
  const role = ROLE_OF[who];
  const may = isTerm(collection)
    ? MANAGE[collection]?.includes(role)
    : MAY_WRITE_POSTS[role].includes(action === 'create' ? 'create own' : `${action} ${whose}`);
  if (!may) return 'forbidden';
  if (rules[role] !== 'review') return 'made';
  if (!isBypassing) return 'proposed';
  return rules.bypass && REVIEWERS.includes(role) ? 'made' : 'bypass refused';
}

function outcomeOf({ status, body }: Answer): Outcome | string {
  if (status === 200 || status === 201) return 'made';
  if (status === 202) return 'proposed';
  if (status === 403) return body.code === 'rest_bypass_refused' ? 'bypass refused' : 'forbidden';
  return `${status} ${body.code}`;
}

/** Who may judge what `who` has proposed: those who could write it themselves, in the name of its author. */
const mayJudge = ({ collection }: Case, judge: Who): boolean =>
  isTerm(collection) ? (MANAGE[collection]?.includes(ROLE_OF[judge]) ?? false) : REVIEWERS.includes(ROLE_OF[judge]);

const DIRECT: Rules = {
  ...{ contributor: 'direct', author: 'direct', editor: 'direct', administrator: 'direct' },
  ...{ approvals: 1, bypass: false },
};

async function setRules(daybook: TestService, collection: Collection, rules: Rules): Promise<void> {
  const set = await daybook.request('administrator', 'PUT', '/policy', { [collection]: rules });
  assert.is(set.status, 200, set.text);
}

test('each write is made, proposed or refused, and each approval counts, as by hand', ({ daybook }) => {
  let count = 0;
  const seen = new Map<string, number>();
  const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

  async function tried(one: Case): Promise<void> {
    const { collection, rules, who, action, whose, isBypassing } = one;
    const { name, body } = BODIES[collection];
    count += 1;
    const [before, after] = [`Before ${count}`, `After ${count}`];
    await setRules(daybook, collection, DIRECT);
    // Subscribers have nothing of their own, and terms belong to no user.
    const owner: Who = whose === 'other' || isTerm(collection) || who === 'subscriber' ? 'administrator' : who;
    const isOwned = owner === who || isTerm(collection);
    const there = action === 'create' ? null : await daybook.created(owner, collection, body(before));
    await setRules(daybook, collection, rules);

    const headers = isBypassing ? { 'x-bypass-review': 'in a hurry' } : {};
    const target = `/${collection}${there ? `/${there.id}` : ''}`;
    const method = { create: 'POST', change: 'PATCH', delete: 'DELETE' }[action];
    const sent = { create: body(after), change: { [name]: after }, delete: {} }[action];
    const answer = await daybook.request(who, method, target, sent, headers);
    const outcome = expected({ ...one, whose: isOwned ? 'own' : 'other' });
    assert.is(outcomeOf(answer), outcome, answer.text);
    see(outcome);

    const id = there?.id ?? (answer.status === 202 ? answer.body.target.id : answer.body.id);
    const names = { create: [null, after], change: [before, after], delete: [before, null] }[action];
    const assertShown = async (state: 'as it was' | 'written'): Promise<void> => {
      const { status, body: shown } = await daybook.get(`/${collection}/${id}`, 'administrator');
      const present = status === 200 && shown.status !== 'trash' ? shown[name] : null;
      assert.is(present, names[state === 'written' ? 1 : 0], `${method} ${target}`);
    };
    if (id !== undefined) await assertShown(outcome === 'made' ? 'written' : 'as it was');
    if (outcome !== 'proposed') return;

    const approvers = new Set<Who>();
    for (const judge of one.approving) {
      const { status, body: said } = await daybook.request(judge, 'POST', `/proposals/${answer.body.id}/approve`, {});
      const isApplied = approvers.size >= rules.approvals;
      if (judge === who) assert.equal([status, said.code], [403, 'rest_own_proposal'], judge);
      else if (!mayJudge(one, judge)) assert.ok(status === 403 || status === 404, `${judge} ${status}`);
      else if (isApplied) assert.equal([status, said.code], [409, 'rest_proposal_closed'], judge);
      else if (approvers.has(judge)) assert.equal([status, said.code], [409, 'rest_already_approved'], judge);
      else {
        approvers.add(judge);
        const isLast = approvers.size === rules.approvals;
        assert.equal([status, said.state], [200, isLast ? 'applied' : 'open'], judge);
        await assertShown(isLast ? 'written' : 'as it was');
        see(isLast ? 'applied' : 'approved');
      }
    }
  }

  return fc.assert(fc.asyncProperty(aCase, tried), { numRuns: 150 }).then(() => {
    for (const what of ['made', 'proposed', 'forbidden', 'bypass refused', 'approved', 'applied'])
      assert.ok((seen.get(what) ?? 0) >= 5, JSON.stringify([...seen]));
  });
});

test.run();
