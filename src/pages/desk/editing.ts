// What the forms of all kinds of resources have: only what differs is written, and a conflict is shown with both sides.
import { type Html, html } from '../html.ts';
import type { Problem } from './api.ts';
import type { Conflict, Values } from './form-values.ts';
import { textField, typedField } from './forms.ts';
import type { DeskRequest } from './page.ts';

/** As many characters as an input takes; a paste that is longer is refused with a reason instead of being cut. */
export const MAX_TYPED = 2_000;

interface Opened {
  readonly was: Values<string>;
  readonly etag: string;
}

/** Which form it is (`event-new`, `venue-7`), and what it was opened with: what differs from it was typed. */
export const openedFields = (form: string, { was, etag }: Opened): Html =>
  html`<input type="hidden" name="_form" value=${form} />
    <input type="hidden" name="_etag" value=${etag} />
    <input type="hidden" name="_was" value=${JSON.stringify(was)} />`;

export const reasonField = (request: DeskRequest, problem: Problem | null): Html =>
  textField(typedField(request, problem, '_reason', 'reason', 'hint_reason'), { maxlength: 1000 });

/** What others have changed since the form was opened, beside what was typed. `told` says the value of a field. */
export function conflictTable<Name extends string>(
  { words }: DeskRequest,
  { base, now, input, theirs }: Conflict<Name>,
  labels: { readonly [name: string]: string },
  wordsOf: (name: Name, value: string) => string = (_name, value) => value,
): Html {
  return html`<section class="conflict" aria-label=${words('conflict')}>
    <p class="note">${words('conflict_text')}</p>
    <div class="scroll" role="region" tabindex="0" aria-label=${words('conflicts')}><table>
      <thead><tr><th scope="col">${words('field')}</th><th scope="col">${words('conflict_opened')}</th>
        <th scope="col">${words('theirs')}</th><th scope="col">${words('yours')}</th></tr></thead>
      <tbody>${theirs.map(
        (name) => html`<tr>
          <th scope="row">${labels[name] ?? name}</th>
          <td class="text">${wordsOf(name, base[name])}</td>
          <td class="text">${wordsOf(name, now[name])}</td>
          <td class="text">${input[name] === base[name] ? words('untouched') : wordsOf(name, input[name])}</td>
        </tr>`,
      )}</tbody>
    </table></div>
  </section>`;
}
