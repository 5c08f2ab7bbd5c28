// The form with which visitors submit an event. It works without scripts; what was typed comes back with what is wrong.

import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { type Attributes, type Html, html } from '../../../pages/html.ts';
import { layout, type Surroundings } from '../../../pages/public/layout.ts';
import type { FormProblems } from '../http/submissions.ts';
import { limitOf, type Offered, TRAP, type Typed } from './typed.ts';

export interface SubmitForm {
  readonly action: string;
  readonly typed: Omit<Typed, 'ticket'>;
  readonly ticket: string;
  readonly offered: Offered;
  /** By field. */
  readonly problems: FormProblems;
  /** About the form as a whole; null: there is nothing to say. */
  readonly problem: string | null;
}

interface FieldShown {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
}

const described = ({ name, hint, problem }: FieldShown): Attributes => {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])];
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': problem ? 'true' : undefined,
  };
};

const field = ({ name, label, hint, problem }: FieldShown, input: Html): Html => html`<div class="field">
    <label for=${name}>${label}</label>
    ${input}
    ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${name}-problem`}>${problem}</p>`}
  </div>`;

export function submitPage(surroundings: Surroundings, shown: SubmitForm): Html {
  const { words } = surroundings;
  const { action, typed, ticket, offered, problems } = shown;
  const values: { readonly [name: string]: string } = { ...typed.form, ...typed.sender };
  const line = (name: string, label: string, more: Attributes = {}, hint?: string): Html => {
    const one: FieldShown = { name, label, problem: problems[name], ...(hint !== undefined && { hint }) };
    return field(
      one,
      html`<input id=${name} name=${name} value=${values[name]} maxlength=${limitOf(name)} ...${described(one)} ...${more} />`,
    );
  };
  const time = (name: string, label: string, more: Attributes = {}, hint?: string): Html =>
    line(name, label, { type: 'datetime-local', ...more }, hint);
  const about: FieldShown = { name: 'description', label: words('field_description'), problem: problems.description };
  return layout(surroundings, {
    title: words('submit'),
    description: words('submit_intro'),
    canonical: '/submit',
    current: 'submit',
    main: html`<h1>${words('submit')}</h1>
      <p>${words('submit_intro')}</p>
      ${summary(surroundings, shown)}
      <form class="submit" method="post" action=${action}>
        <input type="hidden" name="ticket" value=${ticket} />
        <div class="hidden" aria-hidden="true"><label for=${TRAP}>${words('leave_empty')}</label>
          <input id=${TRAP} name=${TRAP} tabindex="-1" autocomplete="off" /></div>
        ${line('title', words('field_title'), { required: true })}
        <div class="fields">
          ${time('start_date', words('field_start'), { required: true })}
          ${time('end_date', words('field_end'), {}, words('hint_end'))}
        </div>
        <label class="check"><input type="checkbox" name="all_day" value="1" checked=${values.all_day !== ''} /><span>${words('all_day')}</span></label>
        ${field(
          about,
          html`<textarea id="description" name="description" rows="8" maxlength=${limitOf('description')} ...${described(about)}>${values.description}</textarea>`,
        )}
        <fieldset><legend>${words('where')}</legend>
          ${line('venue', words('venue'), { list: 'venues', autocomplete: 'off' }, words('hint_venue'))}
          <datalist id="venues">${offered.venues.map(({ venue }) => html`<option value=${lineOfHtml(venue)}></option>`)}</datalist>
          <div class="fields">
            ${line('address', words('address'), { autocomplete: 'off' })}
            ${line('city', words('field_city'), { autocomplete: 'off' })}
          </div>
        </fieldset>
        ${categories(surroundings, shown)}
        <div class="fields">
          ${line('cost', words('price'))}
          ${line('website', words('website'), { type: 'url', placeholder: 'https://' })}
        </div>
        <fieldset><legend>${words('field_about_you')}</legend>
          <div class="fields">
            ${line('name', words('field_sender'), { required: true, autocomplete: 'name' })}
            ${line('email', words('field_email'), { type: 'email', required: true, autocomplete: 'email' }, words('hint_sender'))}
          </div>
        </fieldset>
        <p><button type="submit">${words('send')}</button></p>
      </form>`,
  });
}

/** What is wrong, with links to the fields. */
function summary({ words }: Surroundings, { problem, problems }: SubmitForm): Html | false {
  const labels: { readonly [name: string]: string } = {
    ...{ title: words('field_title'), start_date: words('field_start'), end_date: words('field_end') },
    ...{ description: words('field_description'), venue: words('venue'), address: words('address') },
    ...{ city: words('field_city'), categories: words('categories'), cost: words('price') },
    ...{ website: words('website'), name: words('field_sender'), email: words('field_email') },
  };
  const names = Object.keys(labels).filter((name) => problems[name] !== undefined);
  const rest = problems[''];
  if (problem === null && names.length === 0 && rest === undefined) return false;
  return html`<div class="problem" role="alert">
    <p>${problem ?? rest ?? words('fields_wrong')}</p>
    ${names.length > 0 && html`<ul>${names.map((name) => html`<li><a href=${`#${name}`}>${labels[name]}</a></li>`)}</ul>`}
  </div>`;
}

function categories({ words }: Surroundings, { offered, typed }: SubmitForm): Html | false {
  const chosen = new Set(typed.form.categories.split('\n'));
  return (
    offered.categories.length > 0 &&
    html`<fieldset id="categories"><legend>${words('categories')}</legend>
      <div class="checks">${offered.categories.map(
        ({ id, name }) =>
          html`<label class="check"><input type="checkbox" name="categories[]" value=${id} checked=${chosen.has(String(id))} /><span>${lineOfHtml(name)}</span></label>`,
      )}</div></fieldset>`
  );
}
