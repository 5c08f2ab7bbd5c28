// A reviewer's story in a real browser: the queue, differences by their words, asking for changes, and approval; in two
// languages, and by keyboard.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { clicker } from './clicks.ts';
import { tabTo } from './keyboard.ts';
import { type SignInWords, signIn } from './sign-in.ts';

const test = suite<BrowserContext>('a reviewer in a browser');

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

interface Words extends SignInWords {
  readonly review: string;
  readonly comment: string;
  readonly askForChanges: string;
  readonly approve: string;
  readonly done: string;
  readonly asked: string;
  readonly applied: string;
}

const ENGLISH: Words = {
  ...{ login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events', review: 'Review' },
  ...{ comment: 'Comment', askForChanges: 'Request changes', approve: 'Approve', asked: 'Changes requested' },
  ...{ done: 'Done. The proposal below shows it.', applied: 'Applied' },
};
const GERMAN: Words = {
  ...{ login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden', events: 'Veranstaltungen' },
  ...{ review: 'Prüfung', comment: 'Kommentar', askForChanges: 'Um Änderungen bitten', approve: 'Billigen' },
  ...{ done: 'Erledigt. Der Vorschlag unten zeigt es.', asked: 'Änderungen erbeten', applied: 'Angewendet' },
};

/** A contributor proposes another description. */
async function proposed({ daybook }: BrowserContext, title: string): Promise<Body> {
  const event = await daybook.created(
    'editor',
    'events',
    someEvent({ title, description: 'Songs by the harbour', status: 'publish' }),
  );
  const path = `/events/${event.id}/proposals`;
  const { body } = await daybook.request('contributor', 'POST', path, { description: 'Songs by the old harbour' });
  return { ...body, event: event.id };
}

for (const [locale, words] of [
  ['en-GB', ENGLISH],
  ['de-DE', GERMAN],
] as const)
  test(`${locale}: a proposal is found, sent back with a comment, revised, and approved`, async (all) => {
    const { id, event } = await proposed(all, `Concert ${locale}`);
    const { page, faults, context } = await signIn(all, words, { locale });
    await page.getByRole('navigation').getByRole('link', { name: words.review, exact: true }).click();
    await page.locator(`a[href="/desk/review/${id}"]`).click();
    assert.is(await page.locator('ins').first().textContent(), 'old ');
    if (words === ENGLISH) assert.equal(await seriousProblems(page), []);
    await page.getByRole('textbox', { name: words.comment }).fill('Which harbour?');
    await page.getByRole('button', { name: words.askForChanges }).click();
    await page.getByText(words.done).waitFor();
    await page.getByText(words.asked).first().waitFor();
    await page.getByText('Which harbour?').waitFor();
    const revised = { description: 'Songs by the east harbour', revises: id };
    const answer = await all.daybook.request('contributor', 'POST', `/events/${event}/proposals`, revised);
    assert.is(answer.status, 200, answer.text);
    await page.reload();
    await page.getByRole('button', { name: words.approve, exact: true }).click();
    await page.getByText(words.applied, { exact: true }).first().waitFor();
    assert.match((await all.daybook.get(`/events/${event}`)).text, /east harbour/);
    assert.equal(faults, []);
    await context.close();
  });

test('on a telephone both sides of a conflict are in sight, and one of them is chosen', async (all) => {
  const { id, event } = await proposed(all, 'Quay');
  await all.daybook.request('editor', 'PATCH', `/events/${event}`, { description: 'Songs by the new harbour' });
  const { page, faults, context } = await signIn(all, ENGLISH, {
    ...{ locale: 'en-GB', viewport: { width: 360, height: 780 } },
  });
  await page.goto(`${all.origin}/desk/review/${id}`);
  const choices = page.locator('.conflict [type=radio]');
  for (const choice of await choices.all()) {
    const { x = -1 } = (await choice.boundingBox()) ?? {};
    assert.ok(x >= 0 && x < 340, `within the window: ${x}`);
  }
  assert.is(
    await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.conflict .scroll'))`,
    ),
    0,
  );
  const heading = await page.locator('.conflict thead th').last().boundingBox();
  const value = await page.locator('.conflict td').last().boundingBox();
  assert.is(value?.y, heading?.y, 'each value beside its heading');
  await choices.nth(1).check();
  await page.getByRole('button', { name: 'Revise the proposal' }).click();
  await page.locator('.conflict').waitFor({ state: 'detached' });
  assert.equal(faults, []);
  await context.close();
});

test('without script: from the queue to the decision', async (all) => {
  const { id, event } = await proposed(all, 'Without script');
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB', javaScriptEnabled: false });
  const clicks = clicker();
  await clicks.on(page.getByRole('navigation').getByRole('link', { name: 'Review', exact: true }));
  await clicks.on(page.locator(`a[href="/desk/review/${id}"]`));
  await page.getByRole('textbox', { name: 'Comment' }).fill('Good'); // As they like.
  await clicks.on(page.getByRole('button', { name: 'Approve', exact: true }));
  assert.is(clicks.count(), 3);
  await page.getByText('Applied', { exact: true }).first().waitFor();
  assert.match((await all.daybook.get(`/events/${event}`)).text, /old harbour/);
  await context.close();
});

test('by keyboard alone: from the queue to the decision', async (all) => {
  const { id } = await proposed(all, 'By keyboard');
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/review`);
  await tabTo(page, page.locator(`a[href="/desk/review/${id}"]`));
  await page.keyboard.press('Enter');
  await page.waitForURL(`${all.origin}/desk/review/${id}`);
  await tabTo(page, page.getByRole('textbox', { name: 'Comment' }));
  await page.keyboard.type('Good');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.value'), 'approve', 'what is meant first comes first');
  await page.keyboard.press('Space');
  await page.getByText('Applied', { exact: true }).first().waitFor();
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
