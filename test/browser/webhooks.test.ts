// An administrator sets up a webhook in a real browser without scripts: a receiver gets changes, fails, and gets them again.
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { ACCEPT, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertGoodLooks } from './looks.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext & { receiver: Receiver }>('webhooks in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
const GERMAN = {
  login: 'Anmeldename oder E-Mail-Adresse',
  password: 'Passwort',
  enter: 'Anmelden',
  events: 'Veranstaltungen',
};

test.before(async (context) => {
  const receiver = await startReceiver();
  Object.assign(context, { receiver });
  const environment = { DAYBOOK_PRIVATE_HOSTS: receiver.host, DAYBOOK_SITE_NAME: 'Lantern Bay' };
  Object.assign(context, await openBrowser(environment));
});
test.after(async (context) => {
  await closeBrowser(context);
  await context.receiver.close();
});

test('without scripts: from the form over its secret, a failure and a new secret to its removal', async (all) => {
  const { daybook, origin, receiver } = all;
  const small = { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
  const { page, faults, context } = await signIn(all, WORDS, { ...small, javaScriptEnabled: false }, 'administrator');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('link', { name: 'Webhooks' }).first().click();
  await page.getByText('There are none yet.').waitFor();
  await page.getByLabel('Where to send').fill('http://10.0.0.1/in');
  await page.getByLabel('Name').fill('Ticket shop');
  await page.getByText('Which changes').click();
  await page.getByLabel('Event', { exact: true }).check();
  await press('Add a webhook');
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Where to send').getAttribute('aria-invalid'), 'true');
  assert.ok(await page.getByLabel('Event', { exact: true }).isChecked(), 'nothing that was typed is lost');
  await page.getByLabel('Where to send').fill(receiver.url);
  await press('Add a webhook');
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  assert.match(secret, /^whsec_/);
  await page.getByText('Delivering').waitFor();
  await press('Send a test');
  await page.getByText('The test arrived').waitFor();
  assert.is(await page.getByText(secret).count(), 0, 'shown once');

  await daybook.created('editor', 'events', someEvent({ title: 'Fair' }));
  await receiver.until(() => receiver.accepted().length > 1, 'a delivery');
  const last = receiver.accepted().at(-1);
  if (!last) throw new Error('nothing arrived');
  const sentAt = new Date(Number(last.headers['webhook-timestamp']) * 1000);
  assert.is(last.headers['webhook-signature'], new Webhook(secret).sign(last.id, sentAt, last.text));
  const reloaded = async (text: string | RegExp): Promise<void> => {
    for (let look = 0; look < 100; look += 1) {
      await page.goto(page.url());
      if ((await page.getByText(text, { exact: true }).count()) > 0) return;
    }
    throw new Error(`${text} is not shown`);
  };
  await reloaded('Delivered');

  const before = receiver.received.length;
  receiver.behave(() => ({ status: 500 }));
  await press('Send again');
  await page.getByText('It will be sent again.').waitFor();
  await receiver.until(() => receiver.received.length > before, 'the failing attempt');
  await reloaded('Failed');
  await page.getByText('answered 500').first().waitFor();
  await reloaded(/Waiting: 1/);
  receiver.behave(() => ACCEPT);
  const { waiting } = (await daybook.get('/webhooks/1/deliveries', 'administrator')).body;
  await press('Send again');
  await receiver.until(() => receiver.received.at(-1)?.status === 204, 'the second attempt');
  assert.is(receiver.received.at(-1)?.id, waiting[0].event);
  await reloaded('Delivering');

  await press('Pause');
  await page.getByText('It is paused.').waitFor();
  await press('Resume');
  await page.getByText('It is resumed.').waitFor();
  await page.getByText('Make a new secret').click();
  await press('Yes, make a new one');
  const second = await page.locator('.secret code').textContent();
  assert.is.not(second, secret);
  await page.getByText('The former secret signs as well').waitFor();
  await page.getByLabel('Name').fill('Box office');
  await press('Save');
  await page.getByRole('heading', { level: 1, name: 'Box office' }).waitFor();
  assert.ok(await page.getByLabel('Event', { exact: true }).isChecked(), 'filters stay');
  await page.getByText('Remove this webhook').last().click();
  await press('Yes, remove');
  await page.getByText('The webhook was removed.').waitFor();
  await page.goto(`${origin}/desk/audit`);
  await page.getByText('The webhook has a new secret.').waitFor();
  // The address that was refused.
  assert.equal(
    faults.filter((fault) => !fault.includes('400')),
    [],
  );
  await context.close();
});

test('nothing sticks out, and nothing serious for those who cannot see', async (all) => {
  const { daybook, origin, receiver } = all;
  receiver.behave(() => ({ status: 500 }));
  const members = { url: `${receiver.url}/${'x'.repeat(80)}`, types: 'event,VenueRelocated', role: 'editor,system' };
  const { body } = await daybook.request('administrator', 'POST', '/webhooks', members);
  await daybook.created('editor', 'events', someEvent());
  const { page, context } = await signIn(all, GERMAN, { locale: 'de-DE' }, 'administrator');
  for (const path of ['', `/${body.id}`]) await assertGoodLooks(page, `${origin}/desk/webhooks${path}`);
  await daybook.request('administrator', 'DELETE', `/webhooks/${body.id}`);
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
