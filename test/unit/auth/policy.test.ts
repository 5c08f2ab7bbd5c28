import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { POST_KINDS, type PostKind, type PostStatus } from '../../../src/calendar/resource/domain/post.ts';
import { methodsFor, methodsForList, methodsForTerm, methodsForUnknownId } from '../../../src/http/answers/allow.ts';
import type { Caller } from '../../../src/people/auth/caller.ts';
import {
  may,
  mayAssignAuthors,
  mayKeepCredentials,
  mayManageTerms,
  mayManageUsers,
  mayPublish,
  mayReadHistory,
  maySeePost,
  mayWriteRawHtml,
  type RightsSubject,
  rightsSubjectOf,
  visibilityFor,
} from '../../../src/people/auth/policy.ts';
import type { LinkedPostDocument } from '../../../src/read-model/documents.ts';

const test = suite('policy');

const ME = 4;
const ANOTHER_USER = 6;

const user = (role: NonNullable<Caller>['role']): Caller => ({ id: ME, login: role, name: role, role });
const CALLERS: readonly Caller[] = [
  null,
  user('subscriber'),
  user('contributor'),
  user('author'),
  user('editor'),
  user('administrator'),
];
const [, subscriber, contributor, author, editor, administrator] = CALLERS as readonly [Caller, ...Caller[]];

const post = (of: 'own' | 'others', status: PostStatus, before?: PostStatus): RightsSubject => ({
  author: of === 'own' ? ME : ANOTHER_USER,
  status,
  before: before === undefined ? null : { status: before },
});

type Question = (caller: Caller, kind: PostKind) => boolean;

const reads = (of: 'own' | 'others', status: PostStatus): Question => {
  return (caller, kind) => maySeePost(caller, { kind, ...post(of, status) });
};
const changes = (of: 'own' | 'others', status: PostStatus, before?: PostStatus): Question => {
  return (caller, kind) => {
    const answers = (['update', 'delete'] as const).map((action) =>
      may(caller, action, kind, post(of, status, before)),
    );
    assert.is(answers[0], answers[1], 'what may be changed may be deleted');
    return answers[0] === true;
  };
};
const listsOthers = (status: PostStatus): Question => {
  return (caller, kind) => {
    const visibility = visibilityFor(caller, kind, undefined);
    return visibility !== 'refused' && visibility.statuses.includes(status);
  };
};

// Columns: anonymous, subscriber, contributor, author, editor, administrator.
const TABLE: readonly (readonly [string, string, Question])[] = [
  ['read published', '✓ ✓ ✓ ✓ ✓ ✓', reads('others', 'publish')],
  ['read own draft', '– – ✓ ✓ ✓ ✓', reads('own', 'draft')],
  ['read own pending', '– – ✓ ✓ ✓ ✓', reads('own', 'pending')],
  ['read own private', '– – ✓ ✓ ✓ ✓', reads('own', 'private')],
  ['read own future', '– – ✓ ✓ ✓ ✓', reads('own', 'future')],
  ["read others' draft", '– – – – ✓ ✓', reads('others', 'draft')],
  ["read others' pending", '– – – – ✓ ✓', reads('others', 'pending')],
  ["read others' private", '– – – – ✓ ✓', reads('others', 'private')],
  ["read others' future", '– – – – ✓ ✓', reads('others', 'future')],
  ['list published', '✓ ✓ ✓ ✓ ✓ ✓', listsOthers('publish')],
  ["list others' draft", '– – – – ✓ ✓', listsOthers('draft')],
  ["list others' private", '– – – – ✓ ✓', listsOthers('private')],
  ['list trash unasked', '– – – – – –', listsOthers('trash')],
  ['read history of own', '– – ✓ ✓ ✓ ✓', (caller, kind) => mayReadHistory(caller, kind, { author: ME })],
  ["read others' history", '– – – – ✓ ✓', (caller, kind) => mayReadHistory(caller, kind, { author: ANOTHER_USER })],
  ['read history of nothing left', '– – – – ✓ ✓', (caller, kind) => mayReadHistory(caller, kind, null)],
  ['create', '– – ✓ ✓ ✓ ✓', (caller, kind) => may(caller, 'create', kind)],
  ['publish, schedule', '– – – ✓ ✓ ✓', (caller) => mayPublish(caller)],
  ['change what does not exist', '– – ✓ ✓ ✓ ✓', (caller, kind) => may(caller, 'update', kind)],
  ['delete what does not exist', '– – ✓ ✓ ✓ ✓', (caller, kind) => may(caller, 'delete', kind)],
  ['change own draft', '– – ✓ ✓ ✓ ✓', changes('own', 'draft')],
  ['change own pending', '– – ✓ ✓ ✓ ✓', changes('own', 'pending')],
  ['change own private', '– – ✓ ✓ ✓ ✓', changes('own', 'private')],
  ['change own published', '– – – ✓ ✓ ✓', changes('own', 'publish')],
  ['change own future', '– – – ✓ ✓ ✓', changes('own', 'future')],
  ['change own trashed draft', '– – ✓ ✓ ✓ ✓', changes('own', 'trash', 'draft')],
  ['change own trashed private', '– – ✓ ✓ ✓ ✓', changes('own', 'trash', 'private')],
  ['change own trashed published', '– – – ✓ ✓ ✓', changes('own', 'trash', 'publish')],
  ["change others' draft", '– – – – ✓ ✓', changes('others', 'draft')],
  ["change others' pending", '– – – – ✓ ✓', changes('others', 'pending')],
  ["change others' private", '– – – – ✓ ✓', changes('others', 'private')],
  ["change others' published", '– – – – ✓ ✓', changes('others', 'publish')],
  ["change others' future", '– – – – ✓ ✓', changes('others', 'future')],
  ["change others' trashed draft", '– – – – ✓ ✓', changes('others', 'trash', 'draft')],
  ["change others' trashed published", '– – – – ✓ ✓', changes('others', 'trash', 'publish')],
  ['manage categories', '– – – ✓ ✓ ✓', (caller) => mayManageTerms(caller, 'category')],
  ['manage tags', '– – – – ✓ ✓', (caller) => mayManageTerms(caller, 'tag')],
  ['raw HTML in texts', '– – – – ✓ ✓', (caller) => mayWriteRawHtml(caller)],
  ['name another author', '– – – – ✓ ✓', (caller) => mayAssignAuthors(caller)],
];

for (const [operation, row, question] of TABLE)
  test(`${operation}: ${row}`, () => {
    for (const kind of POST_KINDS) {
      const answers = CALLERS.map((caller) => (question(caller, kind) ? '✓' : '–'));
      assert.is(answers.join(' '), row, kind);
    }
  });

test('an event in the trash is hidden from all', () => {
  for (const caller of CALLERS)
    for (const whose of ['own', 'others'] as const)
      assert.not(maySeePost(caller, { kind: 'event', ...post(whose, 'trash', 'draft') }));
});

test('a venue or organizer in the trash is shown to callers who may restore it', () => {
  for (const kind of ['venue', 'organizer'] as const) {
    const row = (standing: RightsSubject) => CALLERS.map((caller) => maySeePost(caller, { kind, ...standing }));
    assert.equal(row(post('own', 'trash', 'draft')), [false, false, true, true, true, true]);
    assert.equal(row(post('own', 'trash', 'publish')), [false, false, false, true, true, true]);
    assert.equal(row(post('others', 'trash', 'draft')), [false, false, false, false, true, true]);
  }
});

const PUBLIC = { statuses: ['publish'], own: null };
const mine = (...statuses: PostStatus[]) => ({ author: ME, statuses });

test('without the right to edit, a list shows published posts and may be asked for nothing else', () => {
  for (const caller of [null, subscriber ?? null]) {
    assert.equal(visibilityFor(caller, 'event', undefined), PUBLIC);
    assert.equal(visibilityFor(caller, 'event', ['publish']), PUBLIC);
    for (const requested of [[], ['draft'], ['any'], ['publish', 'publish'], ['publish', 'draft'], ['trash'], ['foo']])
      assert.is(visibilityFor(caller, 'venue', requested), 'refused', requested.join());
  }
});

test('contributors and authors see published posts and their own', () => {
  for (const caller of [contributor ?? null, author ?? null]) {
    const see = (requested?: string[]) => visibilityFor(caller, 'event', requested);
    const ownDefault = { statuses: ['publish'], own: mine('future', 'draft', 'pending', 'private') };
    assert.equal(see(), ownDefault);
    assert.equal(see(['any']), ownDefault);
    assert.equal(see(['publish']), PUBLIC);
    assert.equal(see([]), PUBLIC);
    assert.equal(see(['draft', 'publish']), { statuses: ['publish'], own: mine('draft') });
    assert.equal(see(['pending', 'draft']), { statuses: [], own: mine('draft', 'pending') });
    assert.equal(see(['trash']), { statuses: [], own: mine('trash') });
  }
});

test('editors and administrators see what they ask for, and all but the trash when they do not ask', () => {
  const allButTrash = ['publish', 'future', 'draft', 'pending', 'private'];
  for (const caller of [editor ?? null, administrator ?? null]) {
    const see = (requested?: string[]) => visibilityFor(caller, 'organizer', requested);
    assert.equal(see(), { statuses: allButTrash, own: null });
    assert.equal(see(['any']), { statuses: allButTrash, own: null });
    assert.equal(see(['any', 'trash']), { statuses: [...allButTrash, 'trash'], own: null });
    assert.equal(see([]), { statuses: ['publish', 'private'], own: null });
    assert.equal(see(['draft', 'draft']), { statuses: ['draft'], own: null });
    assert.equal(see(['trash']), { statuses: ['trash'], own: null });
  }
});

test('an unknown status is refused, an internal one matches nothing', () => {
  for (const caller of [contributor ?? null, editor ?? null]) {
    for (const requested of [['foo'], ['publish', 'foo'], ['Draft'], ['']])
      assert.is(visibilityFor(caller, 'event', requested), 'refused', requested.join());
    assert.equal(visibilityFor(caller, 'event', ['auto-draft']), { statuses: [], own: null });
    assert.equal(visibilityFor(caller, 'event', ['inherit']), { statuses: [], own: null });
  }
});

const ALL = 'GET, DELETE, POST, PUT, PATCH';
// Columns as above.
const ALLOWED: readonly (readonly [string, RightsSubject | null, readonly string[]])[] = [
  ['own draft', post('own', 'draft'), ['GET', 'GET', ALL, ALL, ALL, ALL]],
  ['own private', post('own', 'private'), ['GET', 'GET', ALL, ALL, ALL, ALL]],
  ['own published', post('own', 'publish'), ['GET', 'GET', 'GET', ALL, ALL, ALL]],
  ['own trashed private', post('own', 'trash', 'private'), ['GET', 'GET', ALL, ALL, ALL, ALL]],
  ['own trashed published', post('own', 'trash', 'publish'), ['GET', 'GET', 'GET', ALL, ALL, ALL]],
  ["others' published", post('others', 'publish'), ['GET', 'GET', 'GET', 'GET', ALL, ALL]],
  ["others' draft", post('others', 'draft'), ['GET', 'GET', 'GET', 'GET', ALL, ALL]],
  ['nothing', null, ['GET', 'GET', ALL, ALL, ALL, ALL]],
];
for (const [what, standing, expected] of ALLOWED)
  test(`methods on ${what}`, () => {
    for (const kind of POST_KINDS)
      assert.equal(
        CALLERS.map((caller) => methodsFor(caller, kind, standing).join(', ')),
        expected,
      );
  });

test('an id that names nothing can be written to for events only', () => {
  assert.is(methodsForUnknownId(editor ?? null, 'event').join(', '), ALL);
  assert.is(methodsForUnknownId(null, 'event').join(', '), 'GET');
  assert.is(methodsForUnknownId(editor ?? null, 'venue').join(', '), 'GET');
  assert.is(methodsForUnknownId(administrator ?? null, 'organizer').join(', '), 'GET');
});

test('methods on lists', () => {
  const row = (kind: PostKind | 'category' | 'tag') => CALLERS.map((caller) => methodsForList(caller, kind).join(', '));
  const BOTH = 'GET, POST';
  for (const kind of POST_KINDS) assert.equal(row(kind), ['GET', 'GET', BOTH, BOTH, BOTH, BOTH]);
  assert.equal(row('category'), ['GET', 'GET', 'GET', BOTH, BOTH, BOTH]);
  assert.equal(row('tag'), ['GET', 'GET', 'GET', 'GET', BOTH, BOTH]);
});

test('methods on one term', () => {
  assert.is(methodsForTerm(author ?? null, 'category').join(', '), 'GET, POST, PUT, PATCH, DELETE');
  assert.is(methodsForTerm(author ?? null, 'tag').join(', '), 'GET');
  assert.is(methodsForTerm(contributor ?? null, 'category').join(', '), 'GET');
});

test('administrators alone manage users', () => assert.equal(CALLERS.filter(mayManageUsers), [administrator]));

test('credentials are managed by their user and by administrators', () => {
  const keepers = (id: number) => CALLERS.filter((caller) => mayKeepCredentials(caller, id));
  assert.equal(keepers(ME), [subscriber, contributor, author, editor, administrator]);
  assert.equal(keepers(ANOTHER_USER), [administrator]);
});

test('a document has the status from before the trash', () => {
  const document = {
    author: ME,
    status: 'trash',
    state: { before: { status: 'publish', slug: 'hall' } },
  } as unknown as LinkedPostDocument;
  const standing = rightsSubjectOf(document);
  assert.not(may(contributor ?? null, 'update', 'venue', standing));
  assert.ok(may(author ?? null, 'update', 'venue', standing));
  assert.is(rightsSubjectOf({ ...document, state: { before: null } }).before, null);
});

test.run();
