// A client that knows nothing but the document: how it asks, what it sends and what it takes for an answer comes from there.
import Schema, { type XSchema } from 'typebox/schema';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocumentCheck, resolved, strict } from '../support/documented.ts';
import { type Body, startTestService, type TestService } from '../support/service.ts';

interface Asked {
  readonly path?: { readonly [name: string]: string | number };
  readonly query?: { readonly [name: string]: unknown };
  readonly body?: { readonly [member: string]: unknown };
}

/** Answers the body of an operation by its id; throws where the document does not allow what is sent, or what is answered. */
type Call = (operationId: string, asked?: Asked) => Promise<Body>;

const test = suite<{ daybook: TestService; call: Call }>('a client made from the document');

test.before(async (context) => {
  context.daybook = await startTestService();
  context.call = clientOf((await context.daybook.get('/doc')).body, context.daybook);
});
test.after(({ daybook }) => daybook.close());

function clientOf(document: Body, daybook: TestService): Call {
  const { problems } = openDocumentCheck(document);
  const $defs = Object.fromEntries(
    Object.entries<Body>(document.components.schemas).map(([name, schema]) => [name, strict(schema)]),
  );
  const operations = new Map(
    Object.entries<Body>(document.paths).flatMap(([path, item]) =>
      Object.entries<Body>(item).map(([method, operation]) => [operation.operationId, { path, method, operation }]),
    ),
  );

  function assertAllowed(schema: Body, value: unknown, what: string): void {
    const checked = Schema.Compile({ ...strict(schema), $defs } as XSchema);
    if (!checked.Check(value)) throw new Error(`${what}: ${JSON.stringify(checked.Errors(value)[1][0])}`);
  }

  /** Generators send every default that a schema states, where nothing else is said. */
  function withDefaults(schema: Body, body: object): object {
    const { properties = {} } = resolved(document, schema);
    const stated = Object.entries<Body>(properties).filter(([, member]) => 'default' in member);
    return { ...Object.fromEntries(stated.map(([name, member]) => [name, member.default])), ...body };
  }

  return async (operationId, { path: variables = {}, query = {}, body } = {}) => {
    const found = operations.get(operationId);
    if (!found) throw new Error(`the document has no operation ${operationId}`);
    const { path, method, operation } = found;
    const parameters: Body[] = operation.parameters.map((one: Body) => resolved(document, one));
    for (const [name, value] of Object.entries(query)) {
      const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
      assert.ok(parameter, `${operationId} has no ${name}`);
      assertAllowed(parameter.schema, value, name);
    }
    const below = new URL(document.servers[0].url).pathname;
    const place = path.replace(/\{(\w+)\}/g, (_: string, name: string) => String(variables[name]));
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const schema = operation.requestBody?.content['application/json'].schema;
    const sent = schema && withDefaults(schema, body ?? {});
    if (schema) assertAllowed(schema, sent, operationId);
    const target = `/${below}${place}?${asked}`;
    const answer = await daybook.request('editor', method.toUpperCase(), target, sent);
    const answered = { method: method.toUpperCase(), target: place, ...answer };
    assert.equal(problems({ ...answered, body: answer.body }), [], answer.text);
    assert.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}

test('it makes, changes, lists and ends a series', async ({ call }) => {
  const made = await call('postEvents', {
    body: {
      title: 'Tide table',
      start_date: '2026-12-01 19:00:00',
      end_date: '2026-12-01 21:00:00',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', rdates: ['2027-01-20'], exdates: ['2026-12-15'] },
    },
  });
  const series: number = made.series.id;
  const dates = async (): Promise<string[]> => {
    const { events } = await call('getEvents', { query: { series, start_date: '2026-11-01', per_page: 20 } });
    return events.map(({ title, start_date }: Body) => `${start_date.slice(0, 16)} ${title}`);
  };
  const planned = ['2026-12-01 19:00', '2026-12-08 19:00', '2026-12-22 19:00', '2027-01-20 19:00'];
  assert.equal(
    await dates(),
    planned.map((date) => `${date} Tide table`),
  );
  await call('patchEventsById', { path: { id: made.id }, body: { scope: 'all', title: 'Tides' } });
  assert.equal(
    await dates(),
    planned.map((date) => `${date} Tides`),
  );
  await call('patchEventsById', {
    path: { id: made.id },
    body: { scope: 'all', recurrence: { rrule: ['FREQ=WEEKLY;INTERVAL=2;COUNT=2'], rdates: [], exdates: [] } },
  });
  assert.equal(await dates(), ['2026-12-01 19:00 Tides', '2026-12-15 19:00 Tides']);
  const listed = await call('getSeries', { query: { per_page: 5 } });
  assert.equal(
    listed.series.map(({ id, title }: Body) => [id, title]),
    [[series, 'Tides']],
  );
  assert.is(
    (await call('getSeriesById', { path: { id: series } })).recurrence.rrule[0],
    'FREQ=WEEKLY;INTERVAL=2;COUNT=2',
  );
  await call('deleteEventsById', { path: { id: made.id }, query: { scope: 'all' } });
  assert.equal(await dates(), []);
});

test('a change says only what it is about: the rest stays, also where a new one has a default', async ({ call }) => {
  const times = { start_date: '2026-12-05', end_date: '2026-12-06' };
  const { id } = await call('postEvents', { body: { title: 'Fair', ...times, all_day: true, featured: true } });
  const changed = await call('patchEventsById', { path: { id }, body: { title: 'Winter fair' } });
  assert.equal([changed.title, changed.all_day, changed.featured], ['Winter fair', true, true]);
  const wrong = call('postEvents', { body: { title: 'x', ...times, recurrence: 'FREQ=DAILY' } });
  await wrong.then(assert.unreachable, (error: Error) => assert.match(error.message, /recurrence|postEvents/));
});

test.run();
