import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { LOG_START } from '../../../src/log/envelope.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { openAuthenticator } from '../../../src/people/auth/credentials.ts';
import { hashPassword, newSecret, verifyPassword } from '../../../src/people/auth/passwords.ts';
import { usersGroup } from '../../../src/people/users/cli/users.ts';
import { ensureFirstAdministrator, issueCredential } from '../../../src/people/users/commands/users.ts';
import { someContext } from '../../support/events.ts';
import { zoneNamed } from '../../support/given.ts';
import { perform } from '../../support/perform.ts';
import { logOf, openUserViews, type UserViews } from '../../unit/auth/user-views.ts';

const test = suite('daybook users');

const NOW = Date.UTC(2026, 5, 15, 13) / 1000;

/** A command line on an empty log; `views` are those that its `project` fills. */
function setUp() {
  const store = openSqliteEventStore({ file: ':memory:' });
  const lines: string[] = [];
  let views: UserViews = openUserViews();
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  const project = async () => {
    views = openUserViews();
    views.apply(await store.readAll({ after: LOG_START, prefixes: ['user-'], limit: 1000 }));
  };
  const typed = { text: '' };
  const dependencies = {
    ...{ store, project, now: () => NOW, newId, out: (line: string) => void lines.push(line) },
    ...{ siteZone: zoneNamed('UTC'), site: 'https://cal.example', readSecret: async () => typed.text },
  };
  const run = async (...args: string[]): Promise<string[]> => {
    lines.length = 0;
    await perform(usersGroup, args, dependencies);
    return [...lines];
  };
  const fails = async (...args: string[]): Promise<UsageError> => {
    try {
      await perform(usersGroup, args, dependencies);
    } catch (error) {
      if (error instanceof UsageError) return error;
      throw error;
    }
    throw new Error(`users ${args.join(' ')} was carried out`);
  };
  const signIn = (login: string, password: string) => {
    const authenticate = openAuthenticator({
      readModel: views,
      log: logOf(views),
      elapsed: () => 0,
      cacheForMs: 0,
      verify: verifyPassword,
    });
    return authenticate(`Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`);
  };
  const commands = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  return { store, run, fails, signIn, commands, typed };
}

async function addedAs(run: (...args: string[]) => Promise<string[]>, ...args: string[]) {
  const lines = await run('add', ...args, '--json');
  assert.is(lines.length, 1, 'exactly one line');
  return JSON.parse(lines[0] ?? '') as { id: number; name: string; role: string; password: string };
}

test('an added user is printed as one line of JSON and can sign in', async () => {
  const { run, signIn } = setUp();
  const { password, ...rest } = await addedAs(run, 'Ann', '--role', 'editor', '--email', 'ann@example.org');
  assert.equal(rest, { id: 1, name: 'Ann', role: 'editor' });
  const ann = { kind: 'caller', caller: { id: 1, login: 'Ann', name: 'Ann', role: 'editor' } };
  assert.equal(await signIn('ann', password), ann);
  assert.equal(await signIn('ann@example.org', password), ann);
});

test('without --json the token is shown in words', async () => {
  const { run, signIn } = setUp();
  const lines = await run('add', 'ann', '--role', 'author');
  assert.is(lines[0], 'Added ann (user 1, author).');
  const token = /: (\S+)$/.exec(lines[1] ?? '')?.[1] ?? '';
  assert.is((await signIn('ann', token)).kind, 'caller');
});

test('neither log nor list holds a token', async () => {
  const { run, store } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author');
  const secret = password.slice(-24);
  const log = JSON.stringify(await store.readAll({ after: LOG_START, limit: 1000 }));
  assert.not.ok(log.includes(secret));
  const list = (await run('list', '--json')).join('\n');
  assert.not.ok(list.includes(secret) || list.includes('scrypt'));
});

test('ids count from 1; a wished id is honoured and those after it go on', async () => {
  const { run } = setUp();
  const ids: number[] = [];
  for (const args of [['a'], ['b', '--id', '6'], ['c'], ['d', '--id', '3']])
    ids.push((await addedAs(run, ...args, '--role', 'author')).id);
  assert.equal(ids, [1, 6, 7, 3]);
});

test('an id that is not free is an error that names it', async () => {
  const { run, fails } = setUp();
  await run('add', 'a', '--role', 'author');
  await run('add', 'b', '--role', 'author', '--id', '5');
  for (const id of ['1', '5']) {
    const { message, exitCode } = await fails('add', 'c', '--role', 'author', '--id', id);
    assert.is(message, `users add: the id ${id} is not free.`);
    assert.is(exitCode, 1);
  }
});

test('a login is taken once, in any case', async () => {
  const { run, fails } = setUp();
  await run('add', 'ann', '--role', 'author');
  const { message, exitCode } = await fails('add', 'ANN', '--role', 'editor');
  assert.match(message, '"ANN"');
  assert.is(exitCode, 1);
  const next = await addedAs(run, 'bob', '--role', 'editor');
  assert.is(next.id, 2, 'a refused user costs no id');
});

test('an e-mail address is used once, and cannot be another user’s login', async () => {
  const { run, fails } = setUp();
  await run('add', 'ann', '--role', 'author', '--email', 'ann@example.org');
  assert.match(
    (await fails('add', 'bob', '--role', 'author', '--email', 'Ann@example.org')).message,
    '"Ann@example.org"',
  );
  assert.match((await fails('add', 'ann@example.org', '--role', 'author')).message, '"ann@example.org"');
  await run('add', 'bob', '--role', 'author', '--email', 'bob@example.org');
});

test('of two that want the same login at once one gets it', async () => {
  const { run, fails } = setUp();
  const outcomes = await Promise.allSettled([
    run('add', 'ann', '--role', 'author'),
    run('add', 'Ann', '--role', 'editor'),
  ]);
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.match((await fails('add', 'ann', '--role', 'author')).message, '"ann"');
});

test('of two that want the same id at once one gets it', async () => {
  const { run } = setUp();
  const outcomes = await Promise.allSettled([
    run('add', 'ann', '--role', 'author', '--id', '4'),
    run('add', 'bob', '--role', 'author', '--id', '4'),
  ]);
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

const nonsense: readonly (readonly [readonly string[], string])[] = [
  [[], 'Try one of add, list, show, token, revoke, set-password, reset-link, role, rename, email, remove, history'],
  [['delete', 'ann'], "unknown command 'delete'"],
  [['delete', 'ann'], 'Try one of add, list, show'],
  [['show'], "missing required argument 'NAME'"],
  [['token'], "missing required argument 'NAME'"],
  [['role', 'ann'], "missing required argument 'ROLE'"],
  [['role', 'ann', 'boss'], "argument 'ROLE'. It must be one of administrator"],
  [['role', 'ann', 'editor', 'now'], 'Expected 2 arguments but got 3: ann, editor, now.'],
  [['rename', 'ann'], "missing required argument 'DISPLAY-NAME'"],
  [['email'], "missing required argument 'NAME'"],
  [['email', 'ann'], "missing required argument 'EMAIL'"],
  [['remove'], "missing required argument 'NAME'"],
  [['remove', 'ann', '--yes'], "unknown option '--yes'"],
  [['history'], 'NAME or --id N is missing'],
  [['history', '--id', 'x'], "--id <N>' argument 'x' is invalid. It must be a positive integer."],
  [['add', '--role', 'author'], "missing required argument 'NAME'"],
  [['add', 'ann', 'bob', '--role', 'author'], 'Expected 1 argument but got 2: ann, bob.'],
  [
    ['add', 'ann'],
    "'--role <ROLE>' not specified. It must be one of administrator, editor, author, contributor, subscriber",
  ],
  [['add', 'ann', '--role', 'boss'], "argument 'boss' is invalid. It must be one of administrator, editor, author"],
  [['add', 'ann', '--role', 'author', '--nick', 'a'], "unknown option '--nick'"],
  [
    ['add', 'ann', '--role', 'author', '--id', '0'],
    "--id <N>' argument '0' is invalid. It must be a positive integer.",
  ],
  [
    ['add', 'ann', '--role', 'author', '--id', 'x'],
    "--id <N>' argument 'x' is invalid. It must be a positive integer.",
  ],
  [['add', 'an:n', '--role', 'author'], '"an:n" cannot be a login'],
  [['add', 'ann', '--role', 'author', '--email', 'ann'], '"ann" is not an e-mail address'],
  [['add', 'ann', '--role', 'author', '--label', ' '], '" " is blank'],
  [['list', 'ann'], 'Expected 0 arguments but got 1: ann.'],
  [['revoke'], "missing required argument 'NAME'"],
  [
    ['revoke', 'ann', '--credential', 'phone'],
    "--credential <N>' argument 'phone' is invalid. It must be a positive integer.",
  ],
];
for (const [args, said] of nonsense)
  test(`users ${args.join(' ')} is refused with a reason`, async () => {
    const { fails, store } = setUp();
    const { message, exitCode } = await fails(...args);
    assert.ok(message.includes(said), message);
    assert.is(exitCode, 2);
    assert.equal(await store.readAll({ after: LOG_START, prefixes: ['user-', 'slug-'], limit: 10 }), []);
  });

test('a list shows users by id with their credentials', async () => {
  const { run } = setUp();
  await run('add', 'bob', '--role', 'editor', '--id', '5', '--label', 'laptop');
  await run('add', 'ann', '--role', 'author', '--id', '2', '--email', 'ann@example.org');
  const issued = '2026-06-15T13:00:00.000Z';
  assert.equal(JSON.parse((await run('list', '--json')).join('')), [
    {
      id: 2,
      login: 'ann',
      name: 'ann',
      email: 'ann@example.org',
      role: 'author',
      credentials: [{ id: 1, label: 'command line', issued }],
    },
    { id: 5, login: 'bob', name: 'bob', email: '', role: 'editor', credentials: [{ id: 1, label: 'laptop', issued }] },
  ]);
  assert.equal(await run('list'), [
    '2\tann\tauthor\tann@example.org',
    `\ttoken 1\tcommand line\tissued ${issued}`,
    '5\tbob\teditor\t-',
    `\ttoken 1\tlaptop\tissued ${issued}`,
  ]);
});

test('revoking a user takes every credential', async () => {
  const { run, signIn } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author');
  assert.equal(await run('revoke', 'Ann'), ['Revoked every token of ann; 0 left.']);
  assert.equal(await signIn('ann', password), { kind: 'refused', code: 'incorrect_password' });
});

test('revoking one credential leaves the others', async () => {
  const { run, fails, signIn, commands } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author');
  const second = await issueCredential(commands, someContext, 'ANN', 'phone');
  if (second.kind === 'rejected') throw new Error(second.rejection.code);
  assert.is(second.written.credential, 2);
  assert.equal(await run('revoke', 'ann', '--credential', '1'), ['Revoked token 1 of ann; 1 left.']);
  assert.is((await signIn('ann', password)).kind, 'refused');
  assert.is((await signIn('ann', `1-2-${second.written.secret}`)).kind, 'caller');
  assert.match((await fails('revoke', 'ann', '--credential', '1')).message, 'no token 1');
});

test('a further token signs in beside the first one', async () => {
  const { run, signIn } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author');
  const [line = ''] = await run('token', 'Ann', '--label', 'phone', '--json');
  const { password: second, ...rest } = JSON.parse(line) as { password: string };
  assert.equal(rest, { id: 1, name: 'ann', credential: 2 });
  for (const token of [password, second]) assert.is((await signIn('ann', token)).kind, 'caller');
  const [said, token = ''] = await run('token', 'ann');
  assert.is(said, 'Issued token 3 of ann (user 1).');
  assert.is((await signIn('ann', token.replace('Token, shown this once: ', ''))).kind, 'caller');
});

test('role, name and e-mail are changed, and a user is shown with all of it', async () => {
  const { run, signIn } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author', '--email', 'ann@example.org');
  assert.equal(await run('role', 'ann', 'editor'), ['ann (user 1) has the role editor.']);
  assert.equal(await run('rename', 'ann', 'Ann Field'), ['ann (user 1) is shown as Ann Field.']);
  assert.equal(await run('email', 'ann', 'ann@new.example'), ['ann (user 1) has the e-mail address ann@new.example.']);
  const caller = { id: 1, login: 'ann', name: 'Ann Field', role: 'editor' };
  assert.equal(await signIn('ann@new.example', password), { kind: 'caller', caller });
  assert.equal(await run('show', 'ANN@new.example'), [
    'ann (user 1)',
    '  name:   Ann Field',
    '  e-mail: ann@new.example',
    '  role:   editor',
    '  token 1  command line issued 2026-06-15T13:00:00.000Z',
  ]);
  assert.equal(JSON.parse((await run('show', 'ann', '--json')).join('')), {
    id: 1,
    login: 'ann',
    name: 'Ann Field',
    email: 'ann@new.example',
    role: 'editor',
    credentials: [{ id: 1, label: 'command line', issued: '2026-06-15T13:00:00.000Z' }],
  });
  assert.equal(await run('email', 'ann', ''), ['ann (user 1) has no e-mail address.']);
});

test('a removed user is gone, and the history of the id stays', async () => {
  const { run, fails, signIn, store } = setUp();
  const { password } = await addedAs(run, 'ann', '--role', 'author');
  await run('role', 'ann', 'editor');
  assert.equal(await run('remove', 'Ann'), ['Removed ann (user 1); the id is not given again.']);
  assert.is((await signIn('ann', password)).kind, 'refused');
  assert.is((await fails('show', 'ann')).message, 'users show: there is no user "ann".');
  assert.match((await fails('history', 'ann')).message, /Try --id N/);
  assert.equal(await run('history', '--id', '1'), [
    '3  2026-06-15T13:00:00.000Z  daybook users  Removed.',
    '2  2026-06-15T13:00:00.000Z  daybook users  Role changed from author to editor.',
    '     role: "author" → "editor"',
    '1  2026-06-15T13:00:00.000Z  daybook users  Token 1 issued: command line.',
    '     credentials: [] → [{"id":1,"label":"command line"}]',
    '0  2026-06-15T13:00:00.000Z  daybook users  Added as “ann” with the role author.',
    '     login: null → "ann"',
    '     name: null → "ann"',
    '     role: null → "author"',
  ]);
  assert.is((await fails('history', '--id', '7')).message, 'users history: there never was a user 7.');
  assert.is((await addedAs(run, 'ann', '--role', 'author')).id, 2);
  assert.ok((await store.readStream('user-1')).length === 4);
});

test('a history contains no hash', async () => {
  const { run } = setUp();
  await run('add', 'ann', '--role', 'author');
  await run('token', 'ann');
  await run('revoke', 'ann', '--credential', '1');
  const told = [...(await run('history', 'ann')), ...(await run('history', 'ann', '--json'))].join('');
  assert.match(told, 'Token 1 revoked: command line.');
  assert.not.match(told, /scrypt|hash/);
});

const departures = [
  ['revoke', 'ann'],
  ['revoke', 'ann', '--credential', '1'],
  ['role', 'ann', 'editor'],
  ['remove', 'ann'],
];
for (const words of departures)
  test(`users ${words.join(' ')} spares the last administrator unless it is forced`, async () => {
    const { run, fails } = setUp();
    await run('add', 'ann', '--role', 'administrator');
    await run('add', 'bob', '--role', 'editor');
    const { message, exitCode } = await fails(...words);
    assert.is(
      message,
      `users ${words[0]}: "ann" is the last administrator with a token. Add another one first, or use --force.`,
    );
    assert.is(exitCode, 1);
    assert.is((await run(...words, '--force')).length, 1);
  });

test('the last administrator is named by the login, however that user is called', async () => {
  const { run, fails } = setUp();
  await run('add', 'ann', '--role', 'administrator', '--email', 'a.miller@music.example');
  assert.match((await fails('remove', 'a.miller@music.example')).message, ': "ann" is the last administrator');
});

test('unknown users cannot be revoked or given a credential', async () => {
  const { fails, commands } = setUp();
  assert.is((await fails('revoke', 'ann')).message, 'users revoke: there is no user "ann".');
  assert.equal(await issueCredential(commands, someContext, 'ann', 'phone'), {
    kind: 'rejected',
    rejection: { code: 'user_not_found' },
  });
});

test('the first administrator is added to a log without users, and only there', async () => {
  const { run, commands } = setUp();
  const wanted = { login: 'admin', name: 'Admin', email: '', label: 'first start' };
  const results = await Promise.all([1, 2].map(() => ensureFirstAdministrator(commands, someContext, wanted)));
  const first = results.find((result) => result !== null);
  assert.is(results.filter((result) => result === null).length, 1, 'one of two that start at once');
  if (first?.kind !== 'written') throw new Error('no administrator was added');
  assert.equal([first.written.state.login, first.written.state.role], ['admin', 'administrator']);
  assert.is(await ensureFirstAdministrator(commands, someContext, { ...wanted, login: 'other' }), null);
  assert.is(JSON.parse((await run('list', '--json')).join('')).length, 1);
});

test('a user’s label neither adds lines to a list nor controls the terminal', async () => {
  const { run, commands } = setUp();
  const ann = await addedAs(run, 'ann', '--role', 'subscriber');
  await issueCredential(commands, someContext, ann.id, 'phone\n9\troot\tadministrator\u001b[2J');
  for (const lines of [await run('list'), await run('show', 'ann')])
    assert.not.match(lines.join(''), /[\n\u001b]/, lines.join('|'));
  assert.ok((await run('list')).some((line) => line.includes('phone 9 root administrator')));
});

test('set-password reads the password and stores only its hash', async () => {
  const { run, fails, store, typed } = setUp();
  await addedAs(run, 'maria', '--role', 'editor');
  typed.text = 'short';
  const { message, exitCode } = await fails('set-password', 'maria');
  assert.is(message, 'users set-password: a password must have 12 to 1,000 characters.');
  assert.is(exitCode, 2);
  typed.text = 'correct horse battery';
  assert.equal(await run('set-password', 'Maria'), ['maria (user 1) has a new password.']);
  const written = JSON.stringify(await store.readStream('user-1'));
  assert.ok(written.includes('UserPasswordSet'));
  assert.not.ok(written.includes('horse'));
  assert.is((await fails('set-password', 'no-one')).message, 'users set-password: there is no user "no-one".');
});

test('reset-link shows an address whose secret is not stored', async () => {
  const { run, store } = setUp();
  await addedAs(run, 'maria', '--role', 'editor');
  const [line = ''] = await run('reset-link', 'maria', '--json');
  const { id, name, url } = JSON.parse(line);
  assert.equal([id, name], [1, 'maria']);
  assert.match(url, /^https:\/\/cal\.example\/desk\/new-password\?link=1-[\w-]{43}$/);
  assert.not.ok(JSON.stringify(await store.readStream('user-1')).includes(url.slice(-43)));
  assert.is((await run('reset-link', 'maria')).length, 2);
});

test.run();
