// Who reads something by a link without an account, what they have said, and another link.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Answer } from '../../../http/schemas/components.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField, typedField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { GUEST_KINDS, type GuestKind } from '../domain/guest-link.ts';
import { GUEST_DAYS } from '../http/guest-link-schema.ts';
import { GUESTS } from './guests-link.ts';

type GuestLink = Answer<'GuestLink'>;
type OfThing = { readonly Params: { readonly kind: GuestKind; readonly id: string } };
type OfLink = { readonly Params: { readonly link: string } };

const THING = `${GUESTS}/:kind(${GUEST_KINDS.join('|')})/:id(^\\d+$)`;
const LINK = `${GUESTS}/:link(^\\d+$)`;

const FOLDERS = { event: '/desk/events', proposal: '/desk/review', set: '/desk/sets' } as const;

const pathOf = ({ kind, of }: Pick<GuestLink, 'kind' | 'of'>): string => `${GUESTS}/${kind}/${of}`;

export function sharingRoutes(app: FastifyInstance): void {
  app.get<OfThing>(THING, async ({ params: { kind, id } }, reply) => showGuests(reply, { kind, of: Number(id) }));
  app.post<OfThing>(THING, async ({ desk, params: { kind, id } }, reply) => {
    const { api, form } = desk;
    const members = { kind, of: Number(id), name: textOf(form, 'name'), days: textOf(form, 'days') };
    const { body, problem } = await api.send<GuestLink>('POST', '/guest-links', members);
    return showGuests(reply, members, problem ? { problem } : { newLink: body });
  });
  // The list of all changes leads here.
  app.get<OfLink>(LINK, async ({ desk, params: { link } }, reply) =>
    leadTo(reply, pathOf(await desk.api.read<GuestLink>(`/guest-links/${link}`))),
  );
  app.post<OfLink>(`${LINK}/revoke`, async ({ desk, params: { link } }, reply) => {
    const { body, problem } = await desk.api.send<GuestLink>('DELETE', `/guest-links/${link}`);
    if (problem) throw new ApiProblem(problem);
    return leadTo(reply, pathOf(body), 'said_saved');
  });
}

interface Outcome {
  readonly newLink?: GuestLink;
  readonly problem?: Problem | null;
}

async function showGuests(
  reply: FastifyReply,
  of: Pick<GuestLink, 'kind' | 'of'>,
  outcome: Outcome = {},
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { links } = await desk.api.read<{ readonly links: readonly GuestLink[] }>('/guest-links', {
    kind: of.kind,
    of: of.of,
  });
  return show(reply, guestsPage(desk, of, links, outcome));
}

function guestsPage(
  request: DeskRequest,
  { kind, of }: Pick<GuestLink, 'kind' | 'of'>,
  links: readonly GuestLink[],
  { newLink, problem = null }: Outcome,
): DeskPage {
  const { words, form } = request;
  const labels = { name: words('guest_name'), days: words('guest_days') };
  const again = { ...request, form: newLink ? {} : form };
  const days = typedField(again, problem, 'days', 'guest_days');
  return {
    title: words('guests'),
    section: FOLDERS[kind],
    problem,
    main: [
      html`<p><a href=${`${FOLDERS[kind]}/${of}`}>${words(`kind_${kind}`)} ${of}</a></p>`,
      html`<h1>${words('guests')}</h1>`,
      problemNote(problem, labels),
      newLink !== undefined && madeNote(request, newLink),
      html`<p>${words('guests_text')}</p>`,
      html`<ul class="rows">${links.map((link) => row(request, link))}</ul>`,
      html`<form class="box fields narrow" method="post" action=${`${GUESTS}/${kind}/${of}`}>
        ${formFields(again)}
        ${textField(typedField(again, problem, 'name', 'guest_name', 'hint_guest_name'), { maxlength: 200, required: true })}
        ${textField({ ...days, value: days.value || String(GUEST_DAYS.usual) }, { inputmode: 'numeric', maxlength: 3 })}
        <p class="actions"><button class="main" type="submit">${words('guest_make')}</button></p>
      </form>`,
    ],
  };
}

const madeNote = ({ words }: DeskRequest, { link }: GuestLink): Html =>
  html`<div class="note" role="status"><p>${words('guest_link_once')}</p>
    <p class="field"><label for="link">${words('guest_link')}</label>
    <input id="link" readonly value=${link ?? words('nothing')} /></p></div>`;

function row(request: DeskRequest, { id, name, by, until, open, remarks }: GuestLink): Html {
  const { words } = request;
  return html`<li><div>
    <p class="what">${name || words('untitled')} <span class=${open ? 'label good' : 'label'}>${words(open ? 'guest_open' : 'guest_shut')}</span></p>
    <p class="hint">${by.name} · ${words('guest_until', { date: siteMomentText(request, until) })}</p>
    ${remarks.map(
      ({ step, text, instant }) =>
        html`<p><span class=${step === 'approve' ? 'label good' : 'label'}>${words(step === 'approve' ? 'guest_approved' : 'comment')}</span>${' '}
          ${text} <span class="hint">${siteMomentText(request, instant)}</span></p>`,
    )}
  </div>
  ${open && buttonForm(request, `${GUESTS}/${id}/revoke`, words('guest_revoke'))}</li>`;
}
