// Traces by OpenTelemetry: a request, what it appends, what the read model makes of that and what webhooks send of it are one
// trace, also when other processes do it later, since events carry the place of their request in it (`traceparent`). Where
// spans go is decided by the SDK that the operator loads before Daybook; without one every span is lost.
// Loading the API costs 20 ms of a start and a request 1 µs of 1,000 to 2,400, so it is loaded where a setting asks for it.
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { RecordedEvent } from '../log/envelope.ts';
import type { AppendObserver } from '../log/event-store.ts';

/** What a span leads to is told with this: `00-<trace>-<span>-<flags>`, see https://www.w3.org/TR/trace-context/. */
export type Traceparent = string | undefined;

export interface OpenSpan {
  /** Undefined where no SDK records. */
  readonly traceparent: Traceparent;
  /** `failure`: what went wrong, in a word; null: nothing. */
  end(attributes: Attributes, failure: string | null): void;
}

export type Tracing = ReturnType<typeof openTracing>;

interface Work {
  readonly traceparent: Traceparent;
  readonly seconds: number;
  /** How many. */
  readonly events: number;
}

function end(span: Span, failure: string | null): void {
  if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}

export function openTracing(version: string) {
  const tracer = trace.getTracer('daybook', version);

  function begin(name: string, kind: SpanKind, parent: Context): OpenSpan {
    const span = tracer.startSpan(name, { kind }, parent);
    const carrier: { traceparent?: string } = {};
    propagation.inject(trace.setSpan(parent, span), carrier);
    return {
      traceparent: carrier.traceparent,
      end(attributes, failure) {
        end(span.setAttributes(attributes), failure);
      },
    };
  }

  const after = (traceparent: Traceparent): Context => propagation.extract(ROOT_CONTEXT, { traceparent });

  /** Work that has just ended. What no request has asked for is in no trace. */
  function record(name: string, { traceparent, seconds, events }: Work, failure: string | null): void {
    if (traceparent === undefined) return;
    const startTime = Date.now() - seconds * 1000;
    const span = tracer.startSpan(name, { startTime, attributes: { events } }, after(traceparent));
    end(span, failure);
  }

  const appended: AppendObserver = ({ outcome, events, seconds, traceparent }) =>
    record('append', { traceparent, seconds, events }, outcome === 'appended' ? null : outcome);

  return {
    /** A request that is answered; its headers may say what trace it belongs to. */
    answering: (name: string, headers: object): OpenSpan =>
      begin(name, SpanKind.SERVER, propagation.extract(context.active(), headers)),
    /** A request to another server. */
    asking: (name: string, cause: Traceparent): OpenSpan => begin(name, SpanKind.CLIENT, after(cause)),
    appended,
    /** Events that the read model has applied, in seconds. They may be of several requests: each trace has the time of all. */
    applied(events: readonly RecordedEvent[], seconds: number) {
      const byCause = Map.groupBy(events, ({ metadata }) => metadata.traceparent);
      for (const [traceparent, { length }] of byCause)
        record('project', { traceparent, seconds, events: length }, null);
    },
  };
}
