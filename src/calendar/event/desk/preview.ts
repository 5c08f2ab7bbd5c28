// An event as visitors would see it: its public page with a bar above it, which says what is shown, whose it is, and of when.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HistoryPage } from '../../../editorial/history/desk/reading.ts';
import { authorText, type ReadProposal, wishText } from '../../../editorial/proposals/desk/reading.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { type EpochSeconds, toWallClock } from '../../../kernel/time/zone.ts';
import type { EventAnswer } from '../../../pages/answers.ts';
import { inLanguage, siteMomentText } from '../../../pages/dates.ts';
import { momentField } from '../../../pages/desk/moments.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { askedInstant } from '../../../pages/desk/time-control.ts';
import { type Html, html, pageText } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import type { Picture } from '../../picture/desk/reading.ts';
import { hiddenState } from '../../resource/desk/hidden-links.ts';
import { waitingFor } from './reading.ts';
import { toInput } from './values.ts';

const previewOf = (id: number | string, query: readonly (readonly [string, string])[] = []): string =>
  address(`/desk/events/${id}/preview`, query);

export function previewRoutes(app: FastifyInstance): void {
  app.get<ById>(`/desk/events/${ID}/preview`, async ({ desk, params: { id } }, reply) => {
    const query = askedIn(desk);
    const event = await desk.api.read<EventAnswer>(`/events/${id}`, { ...query });
    const newest = await revisionsOf(desk, id, 1);
    const revision = Number(query.revision ?? newest.history[0]?.revision ?? 0);
    const what = await saidOf(desk, { id, event, query, revision, newest: newest.history[0]?.revision ?? 0 });
    return sendPreview(reply, desk, { event, revision: query.with === '' ? revision : null }, what);
  });
}

/** A proposal that makes or changes an event: its page as it would be. */
export const sendProposed = (reply: FastifyReply, proposal: ReadProposal): Promise<FastifyReply> => {
  const { desk } = reply.request;
  const path = `/desk/review/${proposal.id}`;
  const parts = [wishText(desk, proposal), authorText(desk, proposal), siteMomentText(desk, proposal.opened)];
  const bar = html`<p><strong>${desk.words('preview')}</strong> · ${parts.join(' · ')} · <a href=${path}>${desk.words('preview_back')}</a></p>`;
  // What a proposal of an event would make is an event.
  return sendPreview(reply, desk, { event: proposal.preview as unknown as EventAnswer, revision: null }, bar);
};

type PreviewInput = ReturnType<typeof askedIn>;

function askedIn({ parameters }: DeskRequest) {
  const revision = textOf(parameters, 'revision');
  return {
    ...(revision !== '' && { revision }),
    as_of: textOf(parameters, 'as_of'),
    with: textOf(parameters, 'with'),
  };
}

/** The instant of what is shown. */
const instantOf = ({ now, siteZone }: DeskRequest, { as_of: at }: PreviewInput): EpochSeconds =>
  at === '' ? now : askedInstant(at, siteZone);

const revisionsOf = (desk: DeskRequest, id: string, page: number): Promise<HistoryPage> =>
  desk.api.read(`/events/${id}/history`, { per_page: 1, page });

interface Said {
  readonly id: string;
  readonly event: EventAnswer;
  readonly query: PreviewInput;
  readonly revision: number;
  readonly newest: number;
}

async function saidOf(desk: DeskRequest, said: Said): Promise<Html> {
  const { words } = desk;
  const { id, event, query } = said;
  const waiting = await waitingFor(desk.api, id);
  const sets = new Map(waiting.flatMap((proposal) => proposal.sets.map((set) => [set.id, set] as const)));
  const now = {
    name: 'as_of',
    label: words('preview_at'),
    value: toInput(toWallClock(instantOf(desk, query), desk.siteZone)),
  };
  return html`<p><strong>${words('preview')}</strong> · ${await whatOf(desk, said)}
      ${hiddenState(words, event.status) !== '' && html` · ${hiddenState(words, event.status)}`}
      · <a href=${`/desk/events/${id}`}>${words('preview_back')}</a></p>
    <nav aria-label=${words('preview')}>${steps(desk, said)}
      ${waiting.map((proposal) => html`<a href=${`/desk/review/${proposal.id}/preview`}>${wishText(desk, proposal, lineOfHtml(event.title))}, ${authorText(desk, proposal)}</a> `)}
      ${[...sets.values()].map(
        (set) =>
          html`<a href=${previewOf(id, [['with', `set:${set.id}`], ...(set.at === null ? [] : ([['as_of', set.at]] as const))])}>${set.name}</a> `,
      )}</nav>
    <form method="get" action=${previewOf(id)}>
      ${query.with !== '' && html`<input type="hidden" name="with" value=${query.with} />`}
      ${momentField(desk, now)}
      <button type="submit">${words('preview_show')}</button>
    </form>`;
}

/** From one change of it to the next. */
function steps({ words }: DeskRequest, { id, query, revision, newest }: Said): Html | false {
  if (query.with !== '' || query.as_of !== '') return html`<a href=${previewOf(id)}>${words('preview_now')}</a> `;
  const to = (number: number): string => previewOf(id, number === newest ? [] : [['revision', String(number)]]);
  return html`${revision > 0 && html`<a rel="prev" href=${to(revision - 1)}>${words('preview_before')}</a> `}
    ${revision < newest && html`<a rel="next" href=${to(revision + 1)}>${words('preview_after')}</a> `}`;
}

/** What is shown, whose it is, and of when. */
async function whatOf(desk: DeskRequest, { id, query, revision, newest }: Said): Promise<string> {
  const { words, api } = desk;
  const then =
    query.as_of === '' ? [] : [words('preview_then', { date: siteMomentText(desk, instantOf(desk, query)) })];
  if (query.with !== '') {
    const { body, problem } = await api.ask<{ readonly name: string }>(`/sets/${query.with.replace(/^set:/, '')}`);
    return [problem ? query.with : body.name, ...then].join(' · ');
  }
  if (query.as_of !== '') return then.join();
  const { history } = await revisionsOf(desk, id, newest - revision + 1);
  const [entry] = history;
  const last =
    entry === undefined
      ? []
      : [inLanguage(desk.language, entry.summary), entry.actor.name, siteMomentText(desk, entry.instant)];
  return [...(revision === newest ? [words('preview_now')] : []), ...last].join(' · ');
}

const shownOf = ({ alt, credit, focus_x: focusX, focus_y: focusY }: Picture) => ({ alt, credit, focusX, focusY });

export interface PreviewedEvent {
  readonly event: EventAnswer;
  /** Null: it is not a state of the event's history. */
  readonly revision: number | null;
}

export async function sendPreview(
  reply: FastifyReply,
  desk: Pick<DeskRequest, 'api' | 'preview' | 'language' | 'site'>,
  { event, revision }: PreviewedEvent,
  bar: Html,
): Promise<FastifyReply> {
  const picture = event.image === false || !('id' in event.image) ? null : String(event.image.id);
  const [described, repeating] = await Promise.all([
    picture === null ? null : desk.api.ask<Picture>(`/media/${picture}`),
    event.series === undefined ? null : desk.api.ask<{ readonly summary: string }>(`/series/${event.series.id}`),
  ]);
  const page = await desk.preview({
    event,
    revision,
    bar,
    picture: described?.problem === null ? shownOf(described.body) : null,
    repeats: repeating?.problem === null ? repeating.body.summary : null,
  });
  return reply
    .header('content-language', desk.language.code)
    .type('text/html; charset=utf-8')
    .send(pageText(page, desk.site));
}
