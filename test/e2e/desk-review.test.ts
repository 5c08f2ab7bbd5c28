// The review queue and the audit list at the desk: what they show and do is what the API lets this user do.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkAuditTrail } from '../../src/editorial/audit/export/check-audit-trail.ts';
import { dateText } from '../../src/pages/dates.ts';
import { formOf, signedIn, type Visitor } from '../support/desk.ts';
import {
  type As,
  type Body,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';

interface Context {
  daybook: TestService;
  editor: Visitor;
  contributor: Visitor;
}

/** Where the key lies that signs trails. */
let data: ReturnType<typeof temporaryFolder>;

const test = suite<Context>('review and audit at the desk');
test.before(async (context) => {
  data = temporaryFolder();
  context.daybook = await startTestService({ environment: { DAYBOOK_DATA_DIR: data.folder } });
  context.editor = await signedIn(context.daybook, 'editor');
  context.contributor = await signedIn(context.daybook, 'contributor');
});
test.after(async ({ daybook }) => {
  await daybook.close();
  data.remove();
});

async function proposed(daybook: TestService, as: As, id: number, body: object): Promise<number> {
  const answer = await daybook.request(as, 'POST', `/events/${id}/proposals`, body);
  assert.is(answer.status, 201, answer.text);
  return answer.body.id;
}

const stepsOf = (text: string): string[] =>
  [...text.matchAll(/name="step" value="([^"]*)"/g)].map(([, step = '']) => step);
const actionOf = (id: number): string => `/desk/review/${id}/step`;

async function step(visitor: Visitor, id: number, fields: { readonly [name: string]: string }) {
  const page = await visitor.get(`/desk/review/${id}`);
  return visitor.post(actionOf(id), { ...formOf(page, actionOf(id)), ...fields });
}

test('a proposal is offered to each for what the API lets them do', async ({ daybook, editor, contributor }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const id = await proposed(daybook, 'contributor', event.id, { title: 'With the choir', note: 'They come, too.' });
  assert.equal(stepsOf((await editor.get(`/desk/review/${id}`)).text), [
    ...['approve', 'request-changes', 'reject', 'comments'],
  ]);
  assert.equal(stepsOf((await contributor.get(`/desk/review/${id}`)).text), ['withdraw', 'comments']);
  const list = await editor.get('/desk/review');
  assert.match(list.text, '>Change: With the choir</a>', 'by its name');
  assert.ok(list.text.includes(`href="/desk/review/${id}"`), list.text);
  assert.ok(list.text.includes('They come, too.'));
  const subscriber = await signedIn(daybook, 'subscriber');
  assert.is((await subscriber.get(`/desk/review/${id}`)).status, 403);
  assert.is((await editor.get('/desk/review/9999')).status, 404);
});

test('a double click comments once, and what was decided meanwhile is said beside what was typed', async ({
  daybook,
  editor,
}) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const id = await proposed(daybook, 'contributor', event.id, { title: 'Twice' });
  const page = await editor.get(`/desk/review/${id}`);
  const typed = { ...formOf(page, actionOf(id)), step: 'comments', text: 'Which choir?' };
  for (const status of [303, 412]) assert.is((await editor.post(actionOf(id), typed)).status, status);
  const read = async (): Promise<Body> => (await daybook.get(`/proposals/${id}`, 'editor')).body;
  assert.is((await read()).comments.length, 1);
  assert.is((await step(editor, id, { step: 'request-changes', text: 'Say which.' })).status, 303);
  assert.is((await read()).state, 'changes_requested');
  assert.is((await step(editor, id, { step: 'approve' })).status, 303);
  assert.is((await read()).state, 'applied');
  const again = await editor.post(actionOf(id), { ...typed, step: 'reject', text: 'Typed in vain?' });
  assert.is(again.status, 412);
  assert.ok(again.text.includes('role="alert"'));
  assert.ok(again.text.includes('Typed in vain?'), 'nothing typed is lost');
});

test('two equal clicks at once are one step, for proposals and for sets', async ({ daybook, editor }) => {
  const { userId } = daybook;
  const twice = async (action: string, page: string, typed: { readonly [name: string]: string } = {}) => {
    const form = { ...formOf(await editor.get(page), action), ...typed };
    const answers = await Promise.all([1, 2].map(() => editor.post(action, form)));
    assert.equal(
      answers.map(({ status }) => status).sort(),
      [303, 412],
      `${action}: ${answers.map(({ text }) => text).join('\n')}`,
    );
  };
  const propose = async (by: As) => {
    const { id } = await daybook.created('administrator', 'events', someEvent({ title: 'Before' }));
    return { event: id, id: await proposed(daybook, by, id, { title: 'Twice' }) };
  };
  await daybook.request('administrator', 'PUT', '/policy', { events: { approvals: 2 } });
  const needy = await propose('contributor');
  for (const state of ['open', 'applied']) {
    const page = `/desk/review/${needy.id}`;
    if (state === 'open') await twice(actionOf(needy.id), page, { step: 'approve', text: '' });
    else await daybook.request('administrator', 'POST', `/proposals/${needy.id}/approve`, {});
    const { body } = await daybook.get(`/proposals/${needy.id}`, 'editor');
    assert.is(body.state, state);
    assert.equal(
      body.approvals.map(({ id }: Body) => id),
      [userId('editor')],
    );
  }
  await daybook.request('administrator', 'PUT', '/policy', { events: { approvals: 1 } });
  const plain = await propose('contributor');
  await twice(actionOf(plain.id), `/desk/review/${plain.id}`, { step: 'approve', text: '' });
  assert.is((await daybook.get(`/events/${plain.event}`)).body.title, 'Twice');
  const member = await propose('contributor');
  const { id } = await daybook.created('administrator', 'sets', { name: 'Spring', proposals: [member.id] });
  const page = `/desk/sets/${id}`;
  const steps = ['comments', 'approve', 'request-changes', 'approve'];
  for (const step of steps) await twice(`${page}/step`, page, { step, text: `${step}, please.` });
  await twice(`${page}/apply`, page);
  const { body } = await daybook.get(`/sets/${id}`, 'editor');
  assert.equal([body.state, body.decided_by.id], ['applied', userId('editor')]);
  assert.equal(body.comments.length, steps.length, 'each once');
  const history = (await daybook.get(`/events/${member.event}/history`, 'editor')).body.history;
  assert.is(history.filter(({ type }: Body) => type === 'EventRetitled').length, 1);
});

test('a set whose proposal was revised behind the page is not approved or applied from it', async (context) => {
  const { daybook, editor } = context;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
  const member = await proposed(daybook, 'contributor', event.id, { title: 'Seen' });
  const { id } = await daybook.created('administrator', 'sets', { name: 'Summer', proposals: [member] });
  const page = `/desk/sets/${id}`;
  const shown = await editor.get(page);
  const revised = { title: 'Unseen', revises: member };
  assert.is((await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, revised)).status, 200);
  for (const [name, typed] of Object.entries({ step: { step: 'approve' }, apply: {} })) {
    const { status, text } = await editor.post(`${page}/${name}`, { ...formOf(shown, `${page}/${name}`), ...typed });
    assert.is(status, 412, text);
    assert.match(text, 'role="alert"');
  }
  const { body } = await daybook.get(`/sets/${id}`, 'editor');
  assert.equal([body.state, body.approvals], ['open', []]);
});

test('where both have changed a field, its author or a reviewer chooses, and the revision fits', async (context) => {
  const { daybook, editor, contributor } = context;
  for (const [who, visitor] of Object.entries({ contributor, editor })) {
    const event = await daybook.created('editor', 'events', someEvent({ title: 'Base' }));
    const id = await proposed(daybook, 'contributor', event.id, { title: 'Mine', cost: '7' });
    await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Theirs' });
    const page = await visitor.get(`/desk/review/${id}`);
    assert.match(page.text, /<td class="text">Base<\/td>\s*<td class="text">Theirs/);
    const approving = await editor.post(actionOf(id), {
      ...formOf(await editor.get(`/desk/review/${id}`), actionOf(id)),
      step: 'approve',
    });
    assert.is(approving.status, 409);
    const action = `/desk/review/${id}/revise`;
    const revised = await visitor.post(action, { ...formOf(page, action), 'keep[title]': 'mine' });
    assert.is(revised.status, 303, revised.text);
    const { body } = await daybook.get(`/proposals/${id}`, 'editor');
    assert.equal([body.fits, body.conflicts, body.preview.title], [true, [], 'Mine'], who);
  }
});

test('a request is found in the audit list and taken back, after a preview that changes nothing', async (context) => {
  const { daybook, editor, contributor } = context;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'A slip' });
  const { body } = await daybook.get(`/events/${event.id}/history`, 'editor');
  const request: string = body.history[0].correlation_id;
  const title = async (): Promise<string> => (await daybook.get(`/events/${event.id}`)).body.title;
  const list = await editor.get(`/desk/audit?request=${encodeURIComponent(request)}`);
  assert.match(list.text, `<a href="/desk/events/${event.id}/history">A slip</a>`, 'by its title');
  assert.match(list.text, `<a href="/desk/audit?actor=${daybook.userId('editor')}">editor</a>`, 'picked by its name');
  assert.match(list.text, `<option value="${daybook.userId('editor')}">editor</option>`);
  const preview = await editor.get(`/desk/audit/revert?request=${encodeURIComponent(request)}`);
  assert.is(preview.status, 200, preview.text);
  assert.is(await title(), 'A slip');
  const form = formOf(preview, '/desk/audit/revert');
  assert.is((await editor.post('/desk/audit/revert', form)).status, 200);
  assert.is(await title(), 'Before');
  const again = await editor.post('/desk/audit/revert', form);
  assert.is(again.status, 200, again.text);
  assert.is(await title(), 'Before');
  assert.is(
    (await contributor.post('/desk/audit/revert', { ...formOf(await contributor.get('/desk/account')), request }))
      .status,
    403,
  );
  assert.is((await editor.get('/desk/audit?from=nonsense')).status, 400);
});

test('administrators take the signed trail of a span of time as a file', async ({ daybook, editor }) => {
  await daybook.created('editor', 'events', someEvent({ title: 'Signed' }));
  const administrator = await signedIn(daybook, 'administrator');
  const day = new Date(daybook.clock.at * 1000).toISOString().slice(0, 10);
  const { status, text, headers } = await administrator.get(`/desk/audit/export?from=${day}&to=${day}`);
  assert.is(status, 200, text);
  assert.match(headers['content-disposition'] ?? '', `audit-${day}-${day}.jsonl`);
  const written = new URLSearchParams({ from: dateText('ja', 'medium', day), to: dateText('ja', 'medium', day) });
  const named = await administrator.get(`/desk/audit/export?${written}`, { 'accept-language': 'ja' });
  assert.is(named.headers['content-disposition'], headers['content-disposition'], 'days as the page writes them');
  const file = path.join(data.folder, 'audit.jsonl');
  writeFileSync(file, text);
  assert.equal((await checkAuditTrail(file, '', null)).problems, []);
  assert.match(text, 'Signed');
  assert.is((await editor.get('/desk/audit/export')).status, 403);
});

test('a set is opened once, filled from proposals, scheduled, applied and taken back', async (context) => {
  const { daybook, editor, contributor } = context;
  const opening = { ...formOf(await editor.get('/desk/sets')), name: 'Spring' };
  const [first, second] = [await editor.post('/desk/sets', opening), await editor.post('/desk/sets', opening)];
  assert.equal([first.status, first.headers.location], [303, second.headers.location], 'a double click opens one');
  const set = `/desk/sets/${/\d+/.exec(first.headers.location ?? '')?.[0]}`;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Bare' }));
  const id = await proposed(daybook, 'contributor', event.id, { title: 'In bloom' });
  const other = await proposed(daybook, 'contributor', event.id, { cost: '5' });
  for (const one of [id, other]) {
    const form = formOf(await editor.get(`/desk/review/${one}`), '/desk/sets/collect');
    const { status, text } = await editor.post('/desk/sets/collect', { ...form, set: set.slice(11) });
    assert.is(status, 303, text);
  }
  const press = async (name: string, typed = {}) => {
    const answer = await editor.post(`${set}/${name}`, {
      ...formOf(await editor.get(set), `${set}/${name}`),
      ...typed,
    });
    assert.is(answer.status, 303, `${name}: ${answer.text}`);
    return (await editor.get(set)).text;
  };
  assert.not.ok((await press('take-out', { proposal: String(other) })).includes(`/desk/review/${other}`));
  const { text: proposals } = await editor.get(set);
  assert.match(proposals, '>Change: In bloom</a>', 'by its title');
  assert.is(proposals.match(/<button[^>]* class="main"/g)?.length, 1, 'one step stands out');
  assert.match(proposals, '<del>Bare</del><ins>In bloom</ins>', 'and what it changes');
  const differences = (await editor.get(`${set}/ahead`)).text;
  assert.match(differences, 'Other changes: 1');
  assert.match(differences, '<del>Bare</del><ins>In bloom</ins>');
  const ahead = (await editor.get(`/desk/events?with=set:${set.slice(11)}`)).text;
  assert.match(ahead, 'In bloom');
  assert.not.match(ahead, 'name="ids[]"', 'nothing of it can be ticked');
  assert.not.match((await editor.get('/desk/events')).text, 'In bloom');
  const planned = await press('schedule', { at: '2099-03-20T08:00' });
  assert.match(planned, /2099/);
  for (const link of [`href="${set}/ahead"`, `href="/desk/events?with=set%3A${set.slice(11)}&amp;as_of=2099-`])
    assert.ok(planned.includes(link), link);
  assert.not.match(await press('unschedule'), /20, 2099|2099-03/);
  const applied = await press('apply');
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'In bloom');
  assert.match(applied, /\/desk\/audit\/revert\?request=/);
  assert.is((await contributor.get('/desk/sets')).status, 403);
  assert.is((await contributor.get(`${set}/ahead`)).status, 403);
});

test('approved in a set, a proposal says so and becomes public with the set', async ({
  daybook,
  editor,
  contributor,
}) => {
  const rules = { events: { editor: 'review', administrator: 'review', approvals: 1, bypass: true } };
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Sealed' }));
  assert.is((await daybook.request('administrator', 'PUT', '/policy', rules)).status, 200);
  const id = await proposed(daybook, 'contributor', event.id, { title: 'Opened' });
  const set = (await daybook.created('administrator', 'sets', { name: 'Gala', proposals: [id] })).id;
  const administrator = await signedIn(daybook, 'administrator');
  assert.match((await administrator.get(`/desk/sets/${set}`)).text, '0 of 1');
  const page = await editor.get(`/desk/review/${id}`);
  assert.match(page.text, `href="/desk/sets/${set}"`);
  assert.match(page.text, 'the change becomes public with the set, not before');
  const typed = { ...formOf(page, actionOf(id)), step: 'approve', text: '' };
  for (const status of [303, 412]) assert.is((await editor.post(actionOf(id), typed)).status, status, 'a double click');
  const approved = await editor.get(`/desk/review/${id}`);
  assert.match(approved.text, 'Approved for its set');
  assert.equal(stepsOf(approved.text), ['request-changes', 'reject', 'comments']);
  assert.match((await editor.get('/desk/review')).text, `href="/desk/review/${id}"`, 'it is still to come');
  assert.match((await contributor.get(`/desk/review/${id}`)).text, 'Approved for its set');
  assert.not.match((await contributor.get(`/desk/review/${id}`)).text, 'Gala');
  const path = `/desk/sets/${set}/schedule`;
  const planning = { ...formOf(await administrator.get(`/desk/sets/${set}`), path), at: '2099-03-20T08:00' };
  assert.is((await administrator.post(path, planning)).status, 303);
  const planned = (await administrator.get(`/desk/sets/${set}`)).text;
  for (const said of ['1 of 1', 'Approved for its set', 'Scheduled']) assert.match(planned, said);
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Sealed');
  const own = await proposed(daybook, 'administrator', event.id, { excerpt: 'Mine' });
  const lacking = (await daybook.created('administrator', 'sets', { name: 'Own', proposals: [own] })).id;
  const other = `/desk/sets/${lacking}/schedule`;
  const form = formOf(await administrator.get(`/desk/sets/${lacking}`), other);
  const refused = await administrator.post(other, { ...form, at: '2099-03-20T08:00' });
  assert.is(refused.status, 409);
  assert.match(refused.text, 'it needs more approvals');
  assert.is((await daybook.request('administrator', 'PUT', '/policy', { events: DIRECT })).status, 200);
});

const DIRECT = { editor: 'direct', administrator: 'direct' };

test.run();
