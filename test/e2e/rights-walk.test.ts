// Every role at every operation on events, venues and organizers, of one's own and of others, in every status. The tables
// are the contract: nothing here is asked of the code that decides.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerFor, type Kind, ROLES, type Role, type Row, rowsOf, told, type Word } from '../support/rights-table.ts';
import { type Answer, type As, type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('rights on posts, through the routes');
const daybook = await startTestService();

//                  public subscriber contributor author editor administrator
const READ = rowsOf(`
  own    publish        ok     ok     ok     ok     ok     ok
  own    future         hidden hidden ok     ok     ok     ok
  own    draft          hidden hidden ok     ok     ok     ok
  own    pending        hidden hidden ok     ok     ok     ok
  own    private        hidden hidden ok     ok     ok     ok
  others publish        ok     ok     ok     ok     ok     ok
  others future         hidden hidden hidden hidden ok     ok
  others draft          hidden hidden hidden hidden ok     ok
  others pending        hidden hidden hidden hidden ok     ok
  others private        hidden hidden hidden hidden ok     ok
`);
const READ_EVENT_IN_TRASH = rowsOf(`
  own    trash/publish  gone   gone   gone   gone   gone   gone
  own    trash/future   gone   gone   gone   gone   gone   gone
  own    trash/draft    gone   gone   gone   gone   gone   gone
  own    trash/pending  gone   gone   gone   gone   gone   gone
  own    trash/private  gone   gone   gone   gone   gone   gone
  others trash/publish  gone   gone   gone   gone   gone   gone
  others trash/draft    gone   gone   gone   gone   gone   gone
  others trash/private  gone   gone   gone   gone   gone   gone
`);
/** Read by callers who may restore it. */
const READ_OTHERS_IN_TRASH = rowsOf(`
  own    trash/publish  hidden hidden hidden ok     ok     ok
  own    trash/future   hidden hidden hidden ok     ok     ok
  own    trash/draft    hidden hidden ok     ok     ok     ok
  own    trash/pending  hidden hidden ok     ok     ok     ok
  own    trash/private  hidden hidden ok     ok     ok     ok
  others trash/publish  hidden hidden hidden hidden ok     ok
  others trash/draft    hidden hidden hidden hidden ok     ok
  others trash/private  hidden hidden hidden hidden ok     ok
`);
const CHANGE = rowsOf(`
  own    publish        no     no     no     ok     ok     ok
  own    future         no     no     no     ok     ok     ok
  own    draft          no     no     ok     ok     ok     ok
  own    pending        no     no     ok     ok     ok     ok
  own    private        no     no     ok     ok     ok     ok
  others publish        no     no     no     no     ok     ok
  others future         no     no     no     no     ok     ok
  others draft          no     no     no     no     ok     ok
  others pending        no     no     no     no     ok     ok
  others private        no     no     no     no     ok     ok
`);
const CHANGE_IN_TRASH = rowsOf(`
  own    trash/publish  no     no     no     ok     ok     ok
  own    trash/future   no     no     no     ok     ok     ok
  own    trash/draft    no     no     ok     ok     ok     ok
  own    trash/pending  no     no     ok     ok     ok     ok
  own    trash/private  no     no     ok     ok     ok     ok
  others trash/publish  no     no     no     no     ok     ok
  others trash/future   no     no     no     no     ok     ok
  others trash/draft    no     no     no     no     ok     ok
  others trash/pending  no     no     no     no     ok     ok
  others trash/private  no     no     no     no     ok     ok
`);
const DELETE_IN_TRASH = rowsOf(`
  own    trash/publish  no     no     no     twice  twice  twice
  own    trash/draft    no     no     twice  twice  twice  twice
  own    trash/private  no     no     twice  twice  twice  twice
  others trash/publish  no     no     no     no     twice  twice
  others trash/draft    no     no     no     no     twice  twice
`);
/** What happened to it, and what it was. */
const PAST = rowsOf(`
  own    publish        no     no     ok     ok     ok     ok
  own    draft          no     no     ok     ok     ok     ok
  own    private        no     no     ok     ok     ok     ok
  own    trash/publish  no     no     ok     ok     ok     ok
  own    trash/draft    no     no     ok     ok     ok     ok
  others publish        no     no     no     no     ok     ok
  others future         no     no     no     no     ok     ok
  others draft          no     no     no     no     ok     ok
  others trash/draft    no     no     no     no     ok     ok
`);

const KINDS: readonly Kind[] = ['event', 'venue', 'organizer'];
const LATER = '2027-06-01 09:00:00';
let made = 0;

function bodyFor(kind: Kind, members: object = {}): object {
  made += 1;
  const name = `Post ${made}`;
  return kind === 'event' ? someEvent({ title: name, slug: `post-${made}`, ...members }) : { [kind]: name, ...members };
}

const ownerFor = ({ whose }: Pick<Row, 'whose'>, role: Role): As =>
  whose === 'own' && role !== 'anonymous' ? role : 'otherAuthor';

/** Posts that are still unchanged. */
const untouched = new Map<string, Body>();

/** A post of an owner in a status, made by an administrator, with a change behind it. What was refused leaves it there. */
async function post(kind: Kind, owner: As, status: string): Promise<Body> {
  const key = `${kind} ${owner} ${status}`;
  const known = untouched.get(key) ?? (await newPost(kind, owner, status));
  untouched.set(key, known);
  return known;
}

function touch(kind: Kind, owner: As, status: string): void {
  untouched.delete(`${kind} ${owner} ${status}`);
}

async function newPost(kind: Kind, owner: As, status: string): Promise<Body> {
  const [now = '', before = now] = status.split('/');
  const date = before === 'future' ? { date: LATER } : {};
  const members = { author: daybook.userId(owner), status: before, ...date };
  const created = await daybook.created('administrator', `${kind}s`, bodyFor(kind, members));
  await daybook.request('administrator', 'PUT', `/${kind}s/${created.id}`, { description: 'As it is now' });
  if (now !== 'trash') return created;
  return (await daybook.request('administrator', 'DELETE', `/${kind}s/${created.id}`)).body;
}

interface Operation {
  readonly name: string;
  readonly rows: (kind: Kind) => readonly Row[];
  readonly send: (role: Role, kind: Kind, resource: Body) => Promise<Answer>;
  readonly isRead?: true;
  /** By its slug, what a caller may not read is not there. */
  readonly byName?: 'changes' | 'reads or deletes';
  /** What must hold of an answer that is not a refusal. */
  readonly shows?: (body: Body, role: Role, row: Row) => void;
}

const READS = (kind: Kind): Row[] => [...READ, ...(kind === 'event' ? READ_EVENT_IN_TRASH : READ_OTHERS_IN_TRASH)];
const WRITE_METHODS = ['POST', 'PUT', 'PATCH'] as const;
let turn = 0;
/** The three are the same; in turn each of them is met everywhere. */
const anyMethod = (): string => WRITE_METHODS[turn++ % WRITE_METHODS.length] ?? 'PUT';

const byId = (kind: Kind, { id }: Body): string => `/${kind}s/${id}`;
const bySlug = (kind: Kind, { slug }: Body): string => `/${kind}s/by-slug/${slug}`;

/** What was planned for a date ahead is published now, too, but from the trash it comes back with its date. */
const afterPublishing = (body: Body, role: Role, { status }: Row): void => {
  const published = status !== 'future' && status.endsWith('future') ? 'future' : 'publish';
  assert.is(body.status, role === 'contributor' ? 'pending' : published);
};

const OPERATIONS: readonly Operation[] = [
  {
    name: 'read by id',
    isRead: true,
    rows: READS,
    send: (as, kind, resource) => daybook.get(byId(kind, resource), as),
  },
  {
    name: 'read by slug',
    isRead: true,
    byName: 'reads or deletes',
    rows: READS,
    send: (as, kind, resource) => daybook.get(bySlug(kind, resource), as),
  },
  ...(
    [
      ['id', byId],
      ['slug', bySlug],
    ] as const
  ).flatMap(([by, target]): Operation[] => [
    {
      name: `change by ${by}`,
      ...(by === 'slug' && { byName: 'changes' }),
      rows: () => [...CHANGE, ...CHANGE_IN_TRASH],
      send: (as, kind, resource) =>
        daybook.request(as, anyMethod(), target(kind, resource), { description: 'Changed' }),
      shows: (body, _, { status }) => assert.is(body.status, status.split('/')[0], 'it keeps its status'),
    },
    {
      name: `delete by ${by}`,
      ...(by === 'slug' && { byName: 'reads or deletes' }),
      rows: () => [...CHANGE, ...DELETE_IN_TRASH],
      send: (as, kind, resource) => daybook.request(as, 'DELETE', target(kind, resource)),
      shows: (body) => assert.is(body.status, 'trash'),
    },
    {
      name: `publish by ${by}`,
      ...(by === 'slug' && { byName: 'changes' }),
      rows: () => CHANGE.filter(({ status }) => status !== 'publish'),
      send: (as, kind, resource) => daybook.request(as, anyMethod(), target(kind, resource), { status: 'publish' }),
      shows: afterPublishing,
    },
    {
      name: `bring back by ${by}`,
      ...(by === 'slug' && { byName: 'changes' }),
      rows: () => CHANGE_IN_TRASH,
      send: (as, kind, resource) => daybook.request(as, anyMethod(), target(kind, resource), { status: 'publish' }),
      shows: afterPublishing,
    },
    {
      name: `schedule by ${by}`,
      ...(by === 'slug' && { byName: 'changes' }),
      rows: () => CHANGE.filter(({ status }) => status !== 'future'),
      send: (as, kind, resource) =>
        daybook.request(as, anyMethod(), target(kind, resource), { status: 'future', date: LATER }),
      shows: (body, role) => assert.is(body.status, role === 'contributor' ? 'pending' : 'future'),
    },
    {
      name: `make private by ${by}`,
      ...(by === 'slug' && { byName: 'changes' }),
      rows: () => CHANGE.filter(({ status }) => status !== 'private'),
      send: (as, kind, resource) => daybook.request(as, anyMethod(), target(kind, resource), { status: 'private' }),
      shows: (body, role) => assert.is(body.status, role === 'contributor' ? 'pending' : 'private'),
    },
  ]),
  {
    name: 'ask why it is in a list',
    isRead: true,
    rows: (kind) => (kind === 'event' ? READS(kind) : []),
    send: (as, kind, resource) => daybook.get(`${byId(kind, resource)}/why`, as),
  },
  {
    name: 'read the history',
    isRead: true,
    rows: () => PAST,
    send: (as, kind, resource) => daybook.get(`${byId(kind, resource)}/history`, as),
  },
  {
    name: 'compare two states',
    isRead: true,
    rows: () => PAST,
    send: (as, kind, resource) => daybook.get(`${byId(kind, resource)}/compare?from=0`, as),
  },
  {
    name: 'read an old state',
    isRead: true,
    rows: () => PAST,
    send: (as, kind, resource) => daybook.get(`${byId(kind, resource)}?revision=0`, as),
  },
  {
    name: 'revert',
    rows: () => CHANGE,
    send: (as, kind, resource) => daybook.request(as, 'POST', `${byId(kind, resource)}/revert`, { revision: 0 }),
    shows: (body) => assert.is(body.description || '', ''),
  },
];

/** What callers may not read, nor change in the trash, is not there for them. Events are looked up by those who may edit. */
function expected(word: Word, role: Role, kind: Kind, row: Row, byName: Operation['byName']): string {
  const sameRow = ({ whose, status }: Row): boolean => whose === row.whose && status === row.status;
  const known = (row.status.startsWith('trash/') ? CHANGE_IN_TRASH : READ).find(sameRow)?.words[role];
  if (byName === undefined || known === 'ok') return answerFor(word, role, kind);
  if (byName === 'reads or deletes' || kind !== 'event') return answerFor('unknown', role, kind);
  return role === 'anonymous' || role === 'subscriber' ? answerFor('no', role, kind) : '404 rest-event-not-found';
}

/** Organizers have the routes and the rights of venues: each operation meets a third of its rows there, each another third. */
const rowsMet = (kind: Kind, rows: readonly Row[], operation: number): readonly Row[] =>
  kind === 'organizer' ? rows.filter((_, at) => at % 3 === operation % 3) : rows;

for (const kind of KINDS)
  for (const [operation, { name, rows, send, shows, isRead, byName }] of OPERATIONS.entries())
    test(`${name}: ${kind}s, by role, owner and status`, async () => {
      for (const row of rowsMet(kind, rows(kind), operation))
        for (const role of ROLES) {
          const owner = ownerFor(row, role);
          const resource = await post(kind, owner, row.status);
          const before = await daybook.store.head();
          const answer = await send(role, kind, resource);
          const what = `${role}: ${name}, ${row.whose} ${row.status} ${kind}`;
          assert.is(
            told(answer),
            expected(row.words[role], role, kind, row, byName),
            `${what}: ${answer.text.slice(0, 120)}`,
          );
          if (answer.status === 200 && !isRead) touch(kind, owner, row.status);
          if (answer.status === 200) shows?.(answer.body, role, row);
          else assert.is(await daybook.store.head(), before, `${what} wrote something`);
        }
    });

test('the calendar of one event is read like the event', async () => {
  for (const row of READS('event'))
    for (const role of ROLES) {
      const { id } = await post('event', ownerFor(row, role), row.status);
      const { statusCode } = await daybook.service.app.inject({
        url: `/calendar/events/v1/events/${id}.ics`,
        headers: {
          host: 'cal.example',
          ...(role === 'anonymous' ? {} : { authorization: daybook.authorization(role) }),
        },
      });
      assert.is(statusCode, row.words[role] === 'ok' ? 200 : 403, `${role}: ${row.whose} ${row.status}`);
    }
});

/** What becomes of a wish on creation; the columns as above. */
const CREATED: readonly (readonly [wish: string, ...statuses: (string | number)[]])[] = [
  ['', 401, 403, 'draft', 'publish', 'publish', 'publish'],
  ['publish', 401, 403, 'pending', 'publish', 'publish', 'publish'],
  ['future', 401, 403, 'pending', 'future', 'future', 'future'],
  ['draft', 401, 403, 'draft', 'draft', 'draft', 'draft'],
  ['pending', 401, 403, 'pending', 'pending', 'pending', 'pending'],
  ['private', 401, 403, 'pending', 'private', 'private', 'private'],
  ['trash', 401, 403, 'trash', 'trash', 'trash', 'trash'],
  ['inherit', 400, 400, 400, 400, 400, 400],
  ['auto-draft', 400, 400, 400, 400, 400, 400],
  ['any', 400, 400, 400, 400, 400, 400],
];

for (const kind of KINDS)
  test(`create ${kind}s, by role and the status that is asked for`, async () => {
    for (const [wish, ...expected] of CREATED) {
      const found: (string | number)[] = [];
      for (const role of ROLES) {
        const before = await daybook.store.head();
        const status = wish === '' ? {} : { status: wish };
        const date = wish === 'future' ? { date: LATER } : {};
        const answer = await daybook.request(role, 'POST', `/${kind}s`, bodyFor(kind, { ...status, ...date }));
        found.push(answer.status === 201 ? answer.body.status : answer.status);
        if (answer.status !== 201) assert.is(await daybook.store.head(), before, `${role} ${wish} wrote something`);
      }
      assert.equal(found, expected, `${kind} as ${wish || 'nothing said'}`);
    }
  });

for (const kind of KINDS)
  test(`only editors and administrators make another user the author of ${kind}s`, async () => {
    const author = daybook.userId('otherAuthor');
    const expected = {
      anonymous: 401,
      subscriber: 403,
      contributor: 403,
      author: 403,
      editor: 200,
      administrator: 200,
    };
    for (const role of ROLES) {
      const mine = await newPost(kind, role === 'anonymous' ? 'author' : role, 'draft');
      const before = await daybook.store.head();
      const created = await daybook.request(role, 'POST', `/${kind}s`, bodyFor(kind, { author }));
      const changed = await daybook.request(role, 'PUT', byId(kind, mine), { author });
      const slugged = await daybook.request(role, 'PUT', kind === 'event' ? byId(kind, mine) : bySlug(kind, mine), {
        author,
      });
      const status = expected[role];
      // Who may not read a draft does not find it by its slug.
      const isUnknown = kind !== 'event' && (role === 'anonymous' || role === 'subscriber');
      assert.equal(
        [created.status, changed.status, slugged.status],
        [status === 200 ? 201 : status, status, isUnknown ? 400 : status],
        role,
      );
      if (status !== 200) assert.is(await daybook.store.head(), before, `${role} wrote something`);
    }
  });

for (const kind of KINDS)
  test(`raw HTML in ${kind}s is kept only from editors and administrators`, async () => {
    for (const role of ['contributor', 'author', 'editor', 'administrator'] as const) {
      const isKept = role === 'editor' || role === 'administrator';
      const texts = { description: '<p onclick="x()">a</p><script>b()</script>' };
      const created = await daybook.created(role, `${kind}s`, bodyFor(kind, { ...texts, status: 'draft' }));
      assert.is(/onclick|script/.test(created.description), isKept, `${role} creates`);
      const changed = await daybook.request(role, 'PUT', byId(kind, created), {
        description: '<iframe src="x"></iframe>c',
      });
      assert.is(/iframe/.test(changed.body.description), isKept, `${role} changes`);
    }
  });

test.after(() => daybook.close());
test.run();
