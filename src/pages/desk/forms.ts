// Parts of forms: hidden fields, fields with what is allowed beside them, and the fields of a form that was sent.
import { randomUUID } from 'node:crypto';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import type { DeskWord } from '../../locales/language.ts';
import { type Attributes, type Html, html } from '../html.ts';
import { type Options, optionsOf } from '../options.ts';
import type { Problem } from './api.ts';
import { type DeskRequest, textOf } from './page.ts';

/** The fields that every form of a user has: against forged requests, and to take effect once. */
export const formFields = ({ formToken, form }: DeskRequest): Html =>
  html`<input type="hidden" name="_csrf" value=${formToken} />
    <input type="hidden" name="_key" value=${textOf(form, '_key') || randomUUID()} />`;

/** A form of one button. */
export const buttonForm = (
  request: DeskRequest,
  action: string,
  label: string,
  fields: { readonly [name: string]: string } = {},
  look?: 'main' | 'danger',
): Html =>
  html`<form class="button" method="post" action=${action}>
    ${formFields({ ...request, form: {} })}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <button type="submit" class=${look}>${label}</button>
  </form>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  /** What is wrong with it. */
  readonly problem?: string | undefined;
}

/** A field as it was sent, with what is wrong with it. */
export const typedField = (
  { words, form }: Pick<DeskRequest, 'words' | 'form'>,
  problem: Problem | null,
  name: string,
  label: DeskWord,
  hint?: DeskWord,
): Field => ({
  ...{ name, label: words(label), value: textOf(form, name), problem: problem?.fields[name] },
  ...(hint !== undefined && { hint: words(hint) }),
});

/** Attributes that tie an input to its hint and to what is wrong with it. */
export const described = ({ name, hint, problem }: Pick<Field, 'name' | 'hint' | 'problem'>): Attributes => {
  const ids = [hint ? `${name}-hint` : '', problem ? `${name}-problem` : ''].filter(Boolean);
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': problem ? 'true' : undefined,
  };
};

/** A label with its input, hint, and what is wrong. The input has the id of its name. */
export const field = ({ name, label, hint, problem }: Omit<Field, 'value'>, input: Html): Html =>
  html`<div class=${problem ? 'field wrong' : 'field'}>
    <label for=${name}>${label}</label>
    ${input}
    ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${name}-problem`}>${labelled(problem, { [name]: label })}</p>`}
  </div>`;

/** Names of parameters as forms call them: texts of the API begin with one, and those of several words are no others. */
function labelled(text: string, labels: { readonly [name: string]: string }): string {
  const isName = (word: string, at: number): boolean => word in labels && (at === 0 || word.includes('_'));
  return text.replace(/\w+/g, (word, at: number) => (isName(word, at) ? (labels[word] ?? word) : word));
}

/** What the API says is wrong, in the words of a form. */
export function inWordsOf(problem: Problem | null, labels: { readonly [name: string]: string }): Problem | null {
  if (problem === null) return null;
  const fields = Object.entries(problem.fields).map(([name, text]) => [name, labelled(text, labels)] as const);
  return { ...problem, fields: Object.fromEntries(fields) };
}

export const textField = (props: Field, more: Attributes = {}): Html =>
  field(
    props,
    html`<input id=${props.name} name=${props.name} value=${props.value} ...${described(props)} ...${more} />`,
  );

/** A field in which one of some values is chosen, each with its text. */
export const choiceField = (props: Field, options: Options, more: Attributes = {}): Html =>
  field(
    props,
    html`<select id=${props.name} name=${props.name} ...${described(props)} ...${more}>${optionsOf(options, props.value)}</select>`,
  );

export const textArea = (props: Field, rows: number): Html =>
  field(
    props,
    html`<textarea id=${props.name} name=${props.name} rows=${rows} ...${described(props)}>${props.value}</textarea>`,
  );

export const checkField = (name: string, label: string, isChecked: boolean): Html =>
  html`<div class="check">
    <input type="checkbox" id=${name} name=${name} value="1" checked=${isChecked} />
    <label for=${name}>${label}</label>
  </div>`;

/** What is wrong with a form as a whole, with links to the fields that are meant; what is wrong with others itself. */
export const problemNote = (problem: Problem | null, labels: { readonly [name: string]: string } = {}): Html | false =>
  problem !== null &&
  html`<div class="problems" role="alert" tabindex="-1">
    <p>${problem.message}</p>
    ${
      Object.keys(problem.fields).length > 0 &&
      html`<ul>${Object.entries(problem.fields).map(
        ([name, text]) =>
          html`<li>${labels[name] === undefined ? text || name : html`<a href=${`#${name}`}>${labels[name]}</a>`}</li>`,
      )}</ul>`
    }
  </div>`;

/** The fields of a form as it was sent, `a[b]` and `a[]` as they were, without those that every form has. */
export function sentFields(form: ParameterMap): readonly (readonly [name: string, value: string])[] {
  return Object.entries(form).flatMap(([name, value]) => (OWN.has(name) ? [] : flat(name, value)));
}

const OWN: ReadonlySet<string> = new Set(['_csrf']);

function flat(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((one) => flat(`${name}[]`, one));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, one]) => flat(`${name}[${member}]`, one));
}

export const hiddenFields = (fields: readonly (readonly [name: string, value: string])[]): Html =>
  html`${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}`;
