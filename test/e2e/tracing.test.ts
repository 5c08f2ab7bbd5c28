// One trace from a request over what it appends and the read model to the webhook that tells of it.
import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedIn } from '../support/desk.ts';
import { someEvent, startTestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = suite('traces');
const exporter = new InMemorySpanExporter();
const receiver = await startReceiver();

/** As the SDK of an operator does, before Daybook begins. */
function register(): void {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

const started = (tracing: 'on' | 'off') =>
  startTestService({
    environment: { DAYBOOK_PRIVATE_HOSTS: receiver.host, DAYBOOK_TRACING: tracing },
    usersSince: Math.floor(Date.now() / 1000),
  });

test.before.each(() => {
  exporter.reset();
  receiver.received.length = 0;
});
test.after.each(() => {
  trace.disable();
  propagation.disable();
});
test.after(() => receiver.close());

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const HEADERS = { traceparent: `00-${TRACE}-${CALLER}-01` };

const ofTrace = (): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === TRACE);
const named = (name: string): ReadableSpan => {
  const span = ofTrace().find((one) => one.name === name);
  if (!span) throw new Error(`no span ${name} among ${ofTrace().map((one) => one.name)}`);
  return span;
};

test('a write, its events, the read model and the webhook are one trace', async () => {
  register();
  const daybook = await started('on');
  daybook.clock.at = Math.floor(Date.now() / 1000);
  let recorded: string | undefined;
  try {
    await daybook.request('administrator', 'POST', '/webhooks', { url: receiver.url, types: 'event' });
    const { status, body, text } = await daybook.request('editor', 'POST', '/events', someEvent(), HEADERS);
    assert.is(status, 201, text);
    await receiver.until(() => receiver.received.length > 0, 'a delivery');
    const [event] = await daybook.store.readStream(`event-${body.id}`, { limit: 1 });
    recorded = event?.metadata.traceparent;
    const told = await daybook.get(`/events/${body.id}/history`, 'administrator');
    assert.not.match(told.text, TRACE);
  } finally {
    // With it the deliveries under way end, and so their spans.
    await daybook.close();
  }
  const request = named('POST /calendar/events/v1/events');
  assert.is(request.parentSpanContext?.spanId, CALLER);
  assert.is(request.attributes['http.response.status_code'], 201);
  const { spanId } = request.spanContext();
  for (const name of ['append', 'project', 'webhook']) assert.is(named(name).parentSpanContext?.spanId, spanId, name);
  const webhook = named('webhook').spanContext();
  assert.is(receiver.received[0]?.headers.traceparent, `00-${TRACE}-${webhook.spanId}-01`);
  assert.is(recorded, `00-${TRACE}-${spanId}-01`);
});

test('what a page of the desk asks of the API is of its trace', async () => {
  register();
  const daybook = await started('on');
  try {
    const editor = await signedIn(daybook, 'editor');
    exporter.reset();
    await editor.get('/desk/events');
    const spans = exporter.getFinishedSpans();
    const page = spans.find(({ name }) => name === 'GET /desk/events');
    const asked = spans.filter(({ name }) => name === 'GET /calendar/events/v1/events');
    assert.ok(page && asked.length > 0, spans.map(({ name }) => name).join());
    for (const { parentSpanContext } of asked) assert.is(parentSpanContext?.spanId, page?.spanContext().spanId);
  } finally {
    await daybook.close();
  }
});

test('without an SDK, or without the setting, nothing is told', async () => {
  for (const tracing of ['on', 'off'] as const) {
    if (tracing === 'off') register();
    const daybook = await started(tracing);
    try {
      const { body } = await daybook.request('editor', 'POST', '/events', someEvent(), HEADERS);
      const [recorded] = await daybook.store.readStream(`event-${body.id}`, { limit: 1 });
      assert.ok(recorded && !('traceparent' in recorded.metadata), tracing);
      assert.is(exporter.getFinishedSpans().length, 0, tracing);
    } finally {
      await daybook.close();
    }
  }
});

test.run();
