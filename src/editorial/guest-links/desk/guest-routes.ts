// What a guest sees: what the link is for, as visitors would see it, and what the guest says about it. It is read with the
// rights of the user who made the link, so it opens no more than that user may see.
// decision 27

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PreviewedEvent, sendPreview } from '../../../calendar/event/desk/preview.ts';
import { derivedId } from '../../../kernel/text/derived-id.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Desk, InNameOf } from '../../../pages/desk/dependencies.ts';
import { type DeskSurroundings, textOf } from '../../../pages/desk/page.ts';
import { leadTo, showTo } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import type { ChangeSet } from '../../change-sets/desk/reading.ts';
import { changeList } from '../../history/desk/values.ts';
import { hasPreview, nameIn, type ReadProposal, wishText } from '../../proposals/desk/reading.ts';
import { GUEST_STEPS, type GuestLink, MAX_REMARK } from '../domain/guest-link.ts';
import { GUEST_PATH } from '../http/guest-link-routes.ts';

type ShownEvent = PreviewedEvent['event'];
type ByToken = { readonly Params: { readonly token: string } };

/** What the link is for, as far as it is shown now. */
interface Content {
  /** The tag of all that the page shows: a guest approves what the guest has seen. */
  readonly tag: string;
  /** A page for visitors; null: what is proposed is told field by field. */
  readonly event: ShownEvent | null;
  readonly proposals: readonly ReadProposal[];
  readonly name: string;
}

interface Reading {
  readonly desk: InNameOf;
  readonly link: GuestLink;
  readonly path: string;
  readonly content: Content;
  /** Why what was sent was not recorded; null: nothing was. */
  readonly problem: string | null;
}

export function guestRoutes(app: FastifyInstance, desk: Desk): void {
  async function read(request: FastifyRequest, token: string): Promise<Reading | null> {
    const opened = await desk.guests.open(token, desk.clock.now());
    if (opened === null) return null;
    const own = desk.inNameOf(request, opened.user);
    const content = await contentOf(own, opened.link);
    return content && { desk: own, link: opened.link, path: `${GUEST_PATH}/${token}`, content, problem: null };
  }

  app.get<ByToken>(`${GUEST_PATH}/:token`, async (request, reply) => {
    const reading = await read(request, request.params.token);
    return reading ? showContent(reply, reading) : showClosed(reply, desk.surroundings(request));
  });

  app.post<ByToken>(`${GUEST_PATH}/:token`, async (request, reply) => {
    const around = desk.surroundings(request);
    const { form, words, now } = around;
    const reading = await read(request, request.params.token);
    if (reading === null) return showClosed(reply, around);
    const step = GUEST_STEPS.find((one) => one === textOf(form, 'step')) ?? 'comment';
    const text = textOf(form, 'text').trim();
    const { tag: seen } = reading.content;
    if (textOf(form, 'seen') !== seen)
      return showContent(reply.code(409), { ...reading, problem: words('guest_changed') });
    const refused = await desk.guests.say({ now, correlationId: request.id }, reading.link.id, { step, text, seen });
    if (refused === 'closed') return showClosed(reply, around);
    if (refused === null) return leadTo(reply, reading.path, 'said_guest');
    const problem = text === '' ? words('missing_field') : words('guest_too_long', { most: MAX_REMARK });
    return showContent(reply.code(400), { ...reading, problem });
  });
}

/** Null: it is not there any more. */
async function contentOf(desk: InNameOf, { target: { kind, id } }: GuestLink): Promise<Content | null> {
  const { api } = desk;
  if (kind === 'event') {
    const { body, headers, problem } = await api.ask<ShownEvent>(`/events/${id}`);
    return problem ? null : { tag: headers.etag ?? '', event: body, proposals: [], name: '' };
  }
  if (kind === 'proposal') {
    const { body, problem } = await api.ask<ReadProposal>(`/proposals/${id}`);
    if (problem) return null;
    return { tag: tagOf(body), event: previewOf(body), proposals: [body], name: titleOf(desk, body) };
  }
  const { body: set, headers, problem } = await api.ask<ChangeSet>(`/sets/${id}`);
  if (problem) return null;
  const members = await Promise.all(set.proposals.map((one) => api.ask<ReadProposal>(`/proposals/${one}`)));
  const proposals = members.flatMap((one) => (one.problem ? [] : [one.body]));
  const match = proposals.find((one) => String(one.id) === textOf(desk.parameters, 'proposal'));
  // A proposal of a set that was revised is another one.
  const tag = [headers.etag, ...proposals.map(tagOf)].join();
  return { tag, event: match ? previewOf(match) : null, proposals, name: set.name };
}

/** Of what the guest sees, and not of when: a preview was created and changed at the instant at which it is asked for. */
const tagOf = ({ preview, changes, state }: ReadProposal): string =>
  derivedId(
    JSON.stringify([preview, changes, state], (name, value) => (/^(date|modified)(_utc)?$/.test(name) ? '' : value)),
  );

/** What a proposal of an event would make is an event. */
const previewOf = (proposal: ReadProposal): ShownEvent | null =>
  hasPreview(proposal) ? (proposal.preview as unknown as ShownEvent) : null;

const titleOf = (desk: InNameOf, proposal: ReadProposal): string => nameIn(proposal) || wishText(desk, proposal);

function showContent(reply: FastifyReply, reading: Reading): Promise<FastifyReply> | FastifyReply {
  const { desk, content } = reading;
  privately(reply);
  const bar = html`${intro(reading)}${answerForm(reading)}`;
  if (content.event !== null)
    return sendPreview(reply, desk, { event: withoutHidden(content.event), revision: null }, bar);
  const { statusCode: status } = reply;
  // What is around is that of a visitor who has not signed in.
  const { user: _user, api: _api, preview: _preview, ...around } = desk;
  return showTo(reply, around, {
    title: content.name,
    status,
    main: html`<h1>${content.name}</h1>${bar}${proposalList(reading)}`,
  });
}

const intro = ({ desk, link, problem, content, path }: Reading): Html =>
  html`<p><strong>${desk.words('preview')}</strong> · ${desk.words('guest_for', { name: link.name })} · ${desk.words('guest_until', { date: siteMomentText(desk, link.until) })}
      ${content.event !== null && content.proposals.length > 1 && html` · <a href=${path}>${content.name}</a>`}</p>
    ${problem !== null && html`<p class="problems" role="alert">${problem}</p>`}
    ${link.remarks.map(
      ({ step, text, at }) =>
        html`<p><strong>${desk.words(step === 'approve' ? 'guest_approved' : 'comment')}</strong> ${text} · ${siteMomentText(desk, at)}</p>`,
    )}`;

const answerForm = ({ desk: { words, form }, path, content, problem }: Reading): Html =>
  html`<form class="box fields" method="post" action=${path}>
    <input type="hidden" name="seen" value=${content.tag} />
    <div class="field"><label for="text">${words('comment')}</label>
      <textarea id="text" name="text" rows="2" maxlength=${MAX_REMARK}>${problem === null ? '' : textOf(form, 'text')}</textarea></div>
    <p class="actions"><button type="submit" class="main" name="step" value="approve">${words('step_approve')}</button>
      <button type="submit" name="step" value="comment">${words('comment')}</button></p>
  </form>`;

/** Each with its page, or with what it changes. Changes of an event may name what is not public: its page does not. Users are not public. */
const proposalList = ({ desk, path, content, link }: Reading): Html =>
  html`<ul class="rows">${content.proposals.map(
    (proposal) => html`<li><div>
      <p class="what">${
        hasPreview(proposal) && link.target.kind === 'set'
          ? html`<a href=${address(path, [['proposal', String(proposal.id)]])}>${titleOf(desk, proposal)}</a>`
          : titleOf(desk, proposal)
      }</p>
      ${
        !hasPreview(proposal) &&
        changeList(
          desk,
          proposal.changes.filter(({ field }) => field !== 'author'),
        )
      }
    </div></li>`,
  )}</ul>`;

/** The event as visitors see it, without what is not public, and without what it tells search engines. */
function withoutHidden({ json_ld: _, ...event }: ShownEvent): ShownEvent {
  const isShown = (one: object): boolean => !('status' in one) || one.status === 'publish';
  const venue = [event.venue].flat().filter(isShown);
  return { ...event, venue, organizer: event.organizer.filter(isShown) };
}

/** What was typed is given back: it was not recorded. */
function showClosed(reply: FastifyReply, around: DeskSurroundings): FastifyReply {
  const { words, form } = around;
  const remark = textOf(form, 'text');
  privately(reply);
  return showTo(reply, around, {
    title: words('guest_closed'),
    status: 404,
    main: html`<div class="narrow"><h1>${words('guest_closed')}</h1>
      <p class="problems" role="alert">${words('guest_closed_text')}</p>
      ${
        remark !== '' &&
        html`<div class="field"><label for="text">${words('guest_typed')}</label>
          <textarea id="text" rows="6" readonly>${remark}</textarea></div>`
      }</div>`,
  });
}

/** No search engine and no page that is linked from there learns the address. */
const privately = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' });
