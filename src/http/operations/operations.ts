// Endpoints for operators: liveness, readiness and metrics. At the root, outside the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MemoryWatch } from '../../kernel/memory/watch.ts';
import type { Language } from '../../locales/language.ts';
import { ENGLISH } from '../../locales/languages.ts';
import {
  type Findings,
  type Health,
  LAGGING_AFTER_SECONDS,
  type ProjectorFinding,
  type Reachability,
  type ViewsFinding,
  type ZoneRulesFinding,
} from '../../observability/health.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { FailingSource, PollsWatched } from '../../observability/registry.ts';
import type { SetUnderWay, SetWatch } from '../../observability/set-watch.ts';
import type { WebhookFinding, WebhookWatch } from '../../observability/webhook-watch.ts';
import type { ParkedDocument } from '../../read-model/documents.ts';
import { JSON_CONTENT_TYPE } from '../answers/headers.ts';
import { isExactAddress } from '../plugins/routing.ts';
import { warmUp } from '../plugins/warm-up.ts';

interface Operations {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly setWatch?: Pick<SetWatch, 'current'>;
  readonly webhookWatch?: Pick<WebhookWatch, 'findings' | 'doubt'>;
  readonly polls?: Pick<PollsWatched, 'failing'>;
  readonly memory?: Pick<MemoryWatch, 'state'>;
  /** For refusals. */
  readonly language?: () => Language;
}

/** Seconds until a retry may succeed. */
const RETRY_AFTER = 5;

/**
 * Adds `/healthz`, `/readyz` and `/metrics`. Call it before `app` is ready. Other methods on these paths are answered
 * like any path without a route.
 */
export function addOperations(
  app: FastifyInstance,
  { health, metrics, setWatch, webhookWatch, polls, memory, language = () => ENGLISH }: Operations,
): void {
  const answer = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: (request, reply, done) => (isExactAddress(request) ? done() : void reply.callNotFound()),
      config: { pressureHandler: () => {} },
      handler: (request, reply) => handler(request, uncached(reply)),
    });
  };
  // What only a new start ends is said where orchestrators ask whether to start it again.
  answer('/healthz', async (_request, reply) => {
    const state = memory?.state() ?? 'enough';
    if (state === 'exhausted') return sendJson(reply, 503, { status: 'out of memory' });
    return sendJson(reply, 200, { status: 'ok', ...(state !== 'enough' && { memory: state }) });
  });
  answer('/readyz', async (request, reply) => {
    const purpose = purposeOf(request);
    if (purpose === null)
      return sendJson(reply.header('Content-Language', language().code), 400, wrongPurpose(language()));
    const looks = await lookFor(purpose, health);
    const isReady = READY_FOR[purpose](looks);
    if (!isReady) reply.header('Retry-After', RETRY_AFTER);
    const body = {
      ...readiness(looks),
      ...setBody(setWatch?.current() ?? null),
      ...webhooksBody(webhookWatch?.findings() ?? []),
      ...webhookLinksBody(webhookWatch?.doubt() ?? null),
      ...sourcesBody(polls?.failing() ?? []),
    };
    return sendJson(reply, isReady ? 200 : 503, body);
  });
  for (const load of metrics.loading) warmUp(app, load);
  answer('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}

/** Valid only now. */
function uncached(reply: FastifyReply): FastifyReply {
  // Probes come from the internal network, where the service speaks plain HTTP.
  reply.raw.removeHeader('Strict-Transport-Security');
  return reply.header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff');
}

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type(JSON_CONTENT_TYPE).send(JSON.stringify(body));

/** The inputs of `/readyz`. */
type Looks = Findings & { readonly writing: Reachability };

/** For reads it is not tested whether writes are possible. */
async function lookFor(purpose: Purpose, health: Health): Promise<Looks> {
  const pending = purpose === 'reads' ? ({ status: 'up' } as const) : health.examineWriting();
  const [findings, writing] = await Promise.all([health.examine(), pending]);
  return { ...findings, writing };
}

const isProjecting = ({ kind }: ProjectorFinding): boolean => kind !== 'waiting to try again';

const canRead = ({ readModel, usable }: Findings): boolean => readModel.status === 'up' && usable;

const canSearch = (findings: Findings): boolean => canRead(findings) && findings.searchable;

const FOLLOWING: readonly ViewsFinding['status'][] = ['current', 'catching up'];

const canWrite = ({ eventStore, writing }: Looks): boolean => eventStore.status === 'up' && writing.status === 'up';

const isWell = (findings: Looks): boolean =>
  canWrite(findings) &&
  canSearch(findings) &&
  isProjecting(findings.projector) &&
  FOLLOWING.includes(findings.views.status);

/** The caller decides what must be available: a site that only shows the calendar needs no log. */
const READY_FOR = {
  everything: isWell,
  reads: canSearch,
  writes: canWrite,
} as const;

type Purpose = keyof typeof READY_FOR;

const wrongPurpose = ({ phrases }: Language): object => ({
  code: 'rest_invalid_param',
  message: phrases.readiness_purpose,
  data: { status: 400 },
});

function purposeOf({ raw }: FastifyRequest): Purpose | null {
  const [purpose, ...others] = new URLSearchParams(raw.url?.split('?', 2)[1]).getAll('for');
  if (purpose === undefined) return 'everything';
  return others.length === 0 && (purpose === 'reads' || purpose === 'writes') ? purpose : null;
}

/** `degraded`: there is a problem, and the read model is served as it is. */
const statusOf = (findings: Looks): 'ready' | 'degraded' | 'unavailable' => {
  if (isWell(findings)) return 'ready';
  return canRead(findings) ? 'degraded' : 'unavailable';
};

const readiness = (findings: Looks): object => ({
  status: statusOf(findings),
  event_store: reachability(findings.eventStore),
  read_model: reachability(findings.readModel),
  projector: { status: findings.projector.kind },
  views: viewsBody(findings.views),
  ...parkedBody(findings.parked ?? []),
  ...sampledBody(findings.sampled),
  ...searchBody(findings),
  ...writingBody(findings.writing),
  ...personalDataBody(findings),
  ...(findings.zoneRules && { zone_rules: zoneRulesBody(findings.zoneRules) }),
});

/** Older rules than the log's make nothing unavailable: recorded events are read as they are. */
const zoneRulesBody = ({ process, log }: ZoneRulesFinding): object => ({
  status: log !== null && process < log ? 'older' : 'current',
  process,
  log,
});

const SET_WHY = 'what was written behind its beginning is shown once it ends; the log says why that takes so long';

/** Reported only once it takes long. The lag of the views says the rest. */
const setBody = (finding: SetUnderWay | null): object =>
  finding === null || finding.seconds < LAGGING_AFTER_SECONDS
    ? {}
    : { set: { status: 'under way', set: finding.set, seconds: finding.seconds, why: SET_WHY } };

const WEBHOOKS_WHY =
  'see daybook webhooks deliveries, or Webhooks at the desk; what was parked is sent again on demand';

/** Reported once something was given up, or waits for long; never a reason not to be ready. */
function webhooksBody(findings: readonly WebhookFinding[]): object {
  const late = findings.filter(({ parked, seconds }) => parked > 0 || seconds >= LAGGING_AFTER_SECONDS);
  return late.length === 0 ? {} : { webhooks: { status: 'behind', behind: late, why: WEBHOOKS_WHY } };
}

/** Deliveries arrive, but their links lead nowhere. */
const webhookLinksBody = (why: string | null): object =>
  why === null ? {} : { webhook_links: { status: 'localhost', why } };

const SOURCES_WHY =
  'see daybook sources show, or Sources at the desk; nothing has changed here, and each is tried again later and later';

/** A calendar elsewhere that fails is never a reason not to be ready. */
const sourcesBody = (failing: readonly FailingSource[]): object =>
  failing.length === 0 ? {} : { sources: { status: 'failing', failing, why: SOURCES_WHY } };

const reachability = (finding: Reachability): object =>
  finding.status === 'up' ? { status: 'up' } : { status: 'down', why: finding.why };

/** What differed has been folded anew, so it is no reason not to be ready. */
function sampledBody(sampled: Findings['sampled']): object {
  if (!sampled?.last) return {};
  const { key, part } = sampled.last;
  return {
    sampled: { compared: sampled.compared, different: sampled.different, last: `${key.kind} ${key.id}: ${part}` },
  };
}

/** Everything else is up to date, so it is no reason not to be ready. */
function parkedBody(parked: readonly ParkedDocument[]): object {
  const [first] = parked;
  if (first === undefined) return {};
  const { stream, position, type } = first.at;
  return { parked: { resources: parked.length, first: { stream, position, type, why: first.why } } };
}

/** Reported only if there is a problem, because `event_store` may be up all the same. */
const writingBody = (finding: Reachability): object =>
  finding.status === 'up' ? {} : { writes: { status: 'refused', why: finding.why } };

/** Reported only if there is a problem; it makes nothing else unavailable. */
const personalDataBody = ({ unreadable = [] }: Findings): object => {
  const [first] = unreadable;
  return first === undefined ? {} : { personal_data: { status: 'unreadable', subjects: unreadable.length, first } };
};

/** Reported after a start alone. Lists without a search answer meanwhile. */
const searchBody = (findings: Findings): object =>
  canRead(findings) && !findings.searchable ? { search: { status: 'being indexed' } } : {};

const viewsBody = (finding: ViewsFinding): object =>
  'why' in finding
    ? { status: finding.status, why: finding.why }
    : {
        status: finding.status,
        lag_events: finding.lag.events,
        lag_events_counted: finding.lag.counted,
        lag_seconds: finding.lag.seconds,
        checkpoint: finding.checkpoint,
      };
