// What the port of mail promises, over both adapters: a real SMTP server, and a folder.
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { openMailFolder } from '../../src/exchange/mail/folder.ts';
import { type Mail, type Mailer, MailUnavailable } from '../../src/exchange/mail/mailer.ts';
import { openSmtp } from '../../src/exchange/mail/smtp.ts';
import { temporaryDirectory } from '../support/events.ts';

interface Opened {
  readonly mailer: Mailer;
  /** The texts of all mails so far, without soft line ends. */
  received(): readonly string[];
  cleanup(): Promise<void>;
}

const FROM = 'Lantern Bay <calendar@example.org>';
const MAIL: Mail = {
  to: { name: 'Zoë Ärger', address: 'zoe@example.com' },
  subject: 'Bitte bestätigen',
  text: 'Guten Tag,\n\nhttps://example.org/submit/1-abc\n.\nEnde',
  id: 'submission-1.7f@example.org',
};

async function startSmtp() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('full') ? new Error('mailbox full') : null),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { server, mails };
}

async function throughServer(): Promise<Opened> {
  const { server, mails } = await startSmtp();
  const { port } = server.server.address() as AddressInfo;
  const mailer = openSmtp({ url: `smtp://127.0.0.1:${port}`, from: FROM });
  return {
    mailer,
    received: () => mails,
    async cleanup() {
      mailer.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function intoFolder(): Promise<Opened> {
  const { directory, remove } = await temporaryDirectory();
  const folder = join(directory, 'below', 'mail');
  const mailer = openMailFolder({ folder, from: FROM });
  return {
    mailer,
    received: () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    cleanup: async () => void (await remove()),
  };
}

for (const [name, open] of [
  ['SMTP', throughServer],
  ['folder', intoFolder],
] as const) {
  const test = suite<Opened>(`mailer: ${name}`);
  test.before.each(async (context) => void Object.assign(context, await open()));
  test.after.each(({ cleanup }) => cleanup());

  test('a mail arrives whole, with its letters, from its sender to its receiver', async ({ mailer, received }) => {
    await mailer.send(MAIL);
    const [mail = '', ...others] = received();
    assert.is(others.length, 0);
    assert.match(mail, /^From: Lantern Bay <calendar@example\.org>\r$/m);
    assert.match(mail, /^To: =\?UTF-8\?.+\?= <zoe@example\.com>\r$/m);
    assert.match(mail, /^Subject: =\?UTF-8\?.+\?=\r$/m);
    assert.match(mail, /^Message-ID: <submission-1\.7f@example\.org>\r$/m);
    assert.match(mail, /^Content-Type: text\/plain; charset=utf-8\r$/m);
    assert.match(mail, /https:\/\/example\.org\/submit\/1-abc\r\n/);
    assert.match(mail, /Ende/, 'a line with a dot alone ends nothing');
  });

  test('no name and no subject begins another header, and no text names a file', async ({ mailer, received }) => {
    const name = 'Eve\r\nBcc: all@example.com\u2028Bcc: more@example.com';
    await mailer.send({ ...MAIL, to: { name, address: 'eve@example.com' }, subject: 'Hello\nBcc: all@example.com' });
    await mailer.send({
      ...MAIL,
      to: { name: '"><x@example.com>, Other <all@example.com>', address: 'eve@example.com' },
      text: '/etc/passwd',
      id: 'b@example.org',
    });
    assert.is(received().length, 2);
    for (const mail of received()) {
      const [head = ''] = mail.split('\r\n\r\n');
      assert.not.match(head, /^Bcc:/im);
      assert.is((head.match(/^To:/gm) ?? []).length, 1);
      assert.not.match(mail, /root:/);
    }
  });

  test.run();
}

const test = suite('mail that is not taken');

test('a server that refuses, or is not there, is unavailable, and the error names no person', async () => {
  const { mailer, cleanup } = await throughServer();
  const full = { ...MAIL, to: { name: 'Full', address: 'full@example.com' } };
  await assertUnavailable(mailer, full);
  await cleanup();
  await assertUnavailable(mailer, MAIL);
});

test('the settings name a server or a folder, and the sender; without them it is the folder below the data', () => {
  const mailOf = (environment: { readonly [name: string]: string }) => {
    const { mail, mailFrom } = readConfig({ DAYBOOK_DATA_DIR: '/srv/daybook', ...environment });
    return { mail, mailFrom };
  };
  const folder = { transport: 'folder', folder: '/srv/daybook/mail' };
  assert.equal(mailOf({}), { mail: folder, mailFrom: 'daybook@localhost' });
  const from = { DAYBOOK_SITE_URL: 'https://calendar.example:8443' };
  assert.equal(mailOf(from), { mail: folder, mailFrom: 'daybook@calendar.example' });
  assert.equal(
    mailOf({ DAYBOOK_MAIL: 'folder:/var/mail/daybook', DAYBOOK_MAIL_FROM: 'Lantern Bay <bay@example.org>' }),
    {
      mail: { transport: 'folder', folder: '/var/mail/daybook' },
      mailFrom: 'Lantern Bay <bay@example.org>',
    },
  );
  for (const url of ['smtp://mail.example:587', 'smtps://ann:sesame@mail.example'])
    assert.equal(mailOf({ DAYBOOK_MAIL: url }).mail, { transport: 'smtp', url });
  const refused = (environment: { readonly [name: string]: string }, said: RegExp) =>
    assert.throws(
      () => mailOf(environment),
      ({ message }: Error) => said.test(message) && !message.includes('sesame'),
    );
  for (const wrong of ['mail.example', 'http://ann:sesame@mail.example', 'smtp://', 'folder:', 'smtp://ann:sesame@a b'])
    refused({ DAYBOOK_MAIL: wrong }, /^DAYBOOK_MAIL .*smtp:\/\//);
  for (const wrong of ['daybook', 'Bay <bay@example.org', 'a@example.org, b@example.org', 'A\nBcc: <b@example.org>'])
    refused({ DAYBOOK_MAIL_FROM: wrong }, /^DAYBOOK_MAIL_FROM/);
});

test('a service that is told a server sends its mails there', async () => {
  const { server, mails } = await startSmtp();
  const { port } = server.server.address() as AddressInfo;
  const { directory, remove } = await temporaryDirectory();
  const stores = await openStores(
    readConfig({
      DAYBOOK_DATA_DIR: directory,
      ...{ DAYBOOK_EVENT_STORE: 'sqlite::memory:', DAYBOOK_READ_MODEL: 'sqlite::memory:' },
      ...{ DAYBOOK_SUBMISSIONS: 'on', DAYBOOK_MAIL: `smtp://127.0.0.1:${port}`, DAYBOOK_MAIL_FROM: FROM },
    }),
  );
  await stores.mailer?.send(MAIL);
  assert.is(mails.length, 1);
  assert.match(mails[0] ?? '', /^From: Lantern Bay <calendar@example\.org>\r$/m);
  stores.mailer?.close();
  await stores.close();
  await remove();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('a folder that cannot be made is unavailable, and its files are for their owner alone', async () => {
  const { directory, remove } = await temporaryDirectory();
  writeFileSync(join(directory, 'file'), '');
  await assertUnavailable(openMailFolder({ folder: join(directory, 'file', 'mail'), from: FROM }), MAIL);
  const folder = join(directory, 'mail');
  const mailer = openMailFolder({ folder, from: FROM });
  await mailer.send(MAIL);
  await mailer.send(MAIL);
  const names = readdirSync(folder);
  assert.equal(names, ['submission-1.7f-example.org.eml'], 'the same mail again is the same file');
  for (const name of names) assert.is(statSync(join(folder, name)).mode & 0o777, 0o600);
  await remove();
});

async function assertUnavailable(mailer: Mailer, mail: Mail): Promise<void> {
  const error = await mailer.send(mail).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, MailUnavailable);
  assert.not.match(String(error), /example\.com/);
}

test.run();
