// Every form of the desk on a bad day: its session has ended, it was left open overnight, its button is pressed twice.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, textAreasOf, type Visitor, visitorOf } from '../support/desk.ts';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

interface Form {
  readonly page: string;
  readonly action: string;
  readonly fields: { readonly [name: string]: string };
  /** The field that a user types into, if there is one. */
  readonly typed: string | undefined;
}

const test = suite<{ daybook: TestService; forms: readonly Form[] }>('forms of the desk');
const MARK = 'typed "with" <care> & ümlaut';
/** What takes something away comes last; what ends the session is pressed once. */
const LAST = /sign-out|remove|password|delete|sessions/;
const ENDING = /sign-out|password|sessions/;

test.before(async (context) => {
  const daybook = await startTestService();
  await fillCalendar(daybook);
  const visitor = await signedIn(daybook, 'administrator');
  Object.assign(context, { daybook, forms: await formsFrom(visitor) });
});
test.after(({ daybook }) => daybook.close());

/** Something of every kind that the desk has forms for. */
async function fillCalendar(daybook: TestService): Promise<void> {
  const made = (body: object) => daybook.created('editor', 'events', someEvent(body));
  const links = { categories: ['Music'], tags: ['Winter'], organizer: { organizer: 'Guild', status: 'publish' } };
  const event = await made({ title: 'Concert', venue: { venue: 'Hall', status: 'publish' }, ...links });
  await made({ title: 'Gone', status: 'draft' });
  const gone = (await made({ title: 'Binned' })).id;
  await daybook.request('editor', 'DELETE', `/events/${gone}`);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { cost: '5' });
  const proposal = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title: 'Other' });
  await daybook.request('editor', 'POST', '/sets', { name: 'Set', proposals: [proposal.body.id] });
}

const patternOf = (path: string): string => path.replace(/\?.*/, '').replace(/\d+/g, '#');

/** The forms of all pages that links lead to; of like pages those of the first. */
async function formsFrom(visitor: Visitor): Promise<readonly Form[]> {
  const queue = ['/desk'];
  const seen = new Set<string>(['/desk']);
  const forms = new Map<string, Form>();
  for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
    const answer = await visitor.get(page);
    const { text, headers } = answer;
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    for (const [, href = ''] of text.matchAll(/ href="(\/desk[^"#]*)"/g)) {
      const path = href.replaceAll('&amp;', '&');
      if (seen.has(patternOf(path))) continue;
      seen.add(patternOf(path));
      queue.push(path);
    }
    for (const [, action = ''] of text.matchAll(/<form\b[^>]* method="post"[^>]* action="([^"]+)"/g)) {
      const key = patternOf(action);
      const part = { ...answer, text: partOf(text, action) };
      const fields = { ...formOf(part, action), ...textAreasOf(part) };
      const typed =
        /<(?:textarea|input(?! type="(?:hidden|checkbox|radio|file|number|password|url|date)))\b[^>]*? name="([^"]+)"/.exec(
          part.text,
        );
      if (!forms.has(key)) forms.set(key, { page, action, fields, typed: typed?.[1] });
    }
  }
  return [...forms.values()].toSorted((one, other) => Number(LAST.test(one.action)) - Number(LAST.test(other.action)));
}

const partOf = (text: string, action: string): string =>
  [...text.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].find(([form]) => form.includes(`action="${action}"`))?.[0] ?? '';

const filled = ({ fields, typed }: Form) => ({ ...fields, ...(typed !== undefined && { [typed]: MARK }) });

/** What a page gives back of a form: all its fields, with a token of now. */
function assertGivenBack({ page, action, fields, typed }: Form, given: { readonly [name: string]: string }): void {
  const where = `${action} of ${page}`;
  if (typed !== undefined) assert.is(given[typed], MARK, where);
  for (const [name, value] of Object.entries(fields))
    if (!name.startsWith('_') && !name.includes('[') && name !== typed && !/file|password/.test(name))
      assert.is(given[name] ?? '', value, `${name} in ${where}`);
  assert.is.not(given._csrf, fields._csrf, where);
}

test('there are many of them', ({ forms }) =>
  assert.ok(forms.length > 25, forms.map(({ action }) => action).join(' ')));

test('a session that has ended: what was typed is carried through the sign-in', async ({ daybook, forms }) => {
  for (const form of forms) {
    const stranger = visitorOf(daybook);
    const asked = await stranger.post(form.action, filled(form));
    assert.is(asked.status, 401, form.action);
    const entered = await stranger.post('/desk/sign-in', {
      ...formOf(asked),
      ...stranger.credentials('administrator'),
    });
    assert.is(entered.status, 200, form.action);
    assertGivenBack(form, formOf(entered, form.action));
  }
});

test('left open overnight, and signed in again elsewhere: it is not carried out, and given back', async ({
  daybook,
  forms,
}) => {
  const head = await daybook.store.head();
  const later = await signedIn(daybook, 'administrator');
  const before = await daybook.store.head();
  for (const form of forms) {
    const refused = await later.post(form.action, filled(form));
    assert.is(refused.status, 403, form.action);
    assertGivenBack(form, formOf(refused, form.action));
  }
  assert.is(await daybook.store.head(), before, `from ${head}`);
});

test('a button pressed twice, and once more: nothing is created again', async ({ daybook, forms }) => {
  const visitor = await signedIn(daybook, 'administrator');
  const again: string[] = [];
  for (const { action, page } of forms.filter(({ action: of }) => !ENDING.test(of))) {
    const shown = await visitor.get(page);
    const part = { ...shown, text: partOf(shown.text, action) };
    const fields = { ...formOf(part, action), ...textAreasOf(part) };
    const send = () => visitor.post(action, fields);
    const [one, other] = await Promise.all([send(), send()]);
    assert.ok(one.status < 500 && other.status < 500, action);
    const head = await daybook.store.head();
    await send();
    if ((await daybook.store.head()) !== head) again.push(patternOf(action));
  }
  assert.equal(again, []);
});

test.run();
