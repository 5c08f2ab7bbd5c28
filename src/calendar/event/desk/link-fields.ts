// Choosing the venues and organizers of an event: those that are linked, and a field for the name of another.

import type { Problem } from '../../../pages/desk/api.ts';
import { MAX_TYPED } from '../../../pages/desk/editing.ts';
import { checkField, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { hiddenState } from '../../resource/desk/hidden-links.ts';
import type { DeskLink, LinkKind } from './reading.ts';
import { type EventValues, linesOf } from './values.ts';

/** A venue or an organizer that was typed by its name. */
export interface LinkQuestion {
  /** Those that may be meant. */
  readonly candidates: readonly DeskLink[];
  /** What is wrong with the name, if it is not one of them. */
  readonly problem?: string;
}

export interface LinkFieldsContent {
  readonly values: EventValues;
  readonly problem: Problem | null;
  readonly links: { readonly [Kind in LinkKind]: readonly DeskLink[] };
  readonly suggested: { readonly [Kind in LinkKind]: readonly DeskLink[] };
  readonly questions: { readonly [Kind in LinkKind]?: LinkQuestion };
}

/** What distinguishes a venue or an organizer, and that the public does not see it. */
export const placeText = (words: DeskRequest['words'], { place, status }: DeskLink): string =>
  [place, hiddenState(words, status)].filter(Boolean).join(' · ');

/** The linked ones, each of which can be taken away, and a field for the name of another. */
export function linkFields(request: DeskRequest, fields: LinkFieldsContent, kind: LinkKind): Html {
  const { words, form } = request;
  const question = fields.questions[kind];
  const linked = linesOf(fields.values[kind]);
  const all = [...fields.links[kind], ...(question?.candidates ?? [])];
  const name = textOf(form, `${kind}_add`).trim();
  const isCreated =
    textOf(form, `${kind}_create`) !== '' &&
    name !== '' &&
    !all.some((one) => linked.includes(String(one.id)) && one.name === name);
  const added = {
    name: `${kind}_add`,
    label: words(linked.length === 0 ? `field_${kind}` : `another_${kind}`),
    value: question?.problem === undefined && !isCreated ? '' : name,
    hint: words('hint_link'),
    problem: question?.problem ?? fields.problem?.fields[`${kind}_add`],
  };
  return html`<div class="links">
    ${
      all.length > 0 &&
      html`<ul class="checks">${all.map(
        (link) => html`<li class="check">
          <input type="checkbox" id=${`${kind}-${link.id}`} name=${`${kind}[]`} value=${link.id} checked=${linked.includes(String(link.id))} />
          <label for=${`${kind}-${link.id}`}>${link.name}${placeText(words, link) !== '' && html` <small>${placeText(words, link)}</small>`}</label>
        </li>`,
      )}</ul>`
    }
    ${textField(added, { list: `${kind}-names`, maxlength: 200, autocomplete: 'off', 'data-find': kind })}
    <datalist id=${`${kind}-names`}>${fields.suggested[kind].map(
      (link) => html`<option value=${link.name}>${placeText(words, link)}</option>`,
    )}</datalist>
    <div class="create" hidden=${question?.problem === undefined && !isCreated}>
      ${checkField(`${kind}_create`, words(`create_${kind}`), isCreated)}
      ${kind === 'venue' && html`<div class="pair">${NEW_VENUE.map((part) => newVenueField(request, part))}</div>`}
    </div>
  </div>`;
}

/** What a venue that is made with the event has beside its name. */
export const NEW_VENUE = ['address', 'city'] as const;

const newVenueField = ({ words, form }: DeskRequest, part: (typeof NEW_VENUE)[number]): Html =>
  textField(
    { name: `venue_${part}`, label: words(`field_${part}`), value: textOf(form, `venue_${part}`) },
    { maxlength: MAX_TYPED },
  );
