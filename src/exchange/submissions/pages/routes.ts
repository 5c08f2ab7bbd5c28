// Submissions from the public: the form, and the private pages of those who have sent it.
import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { parseParameters } from '../../../http/parameters/query-string.ts';
import { compareLetters } from '../../../kernel/text/ascii-folding.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { PageWord } from '../../../locales/language.ts';
import type { VenueAnswer } from '../../../pages/answers.ts';
import { described } from '../../../pages/desk/forms.ts';
import type { ErrorHandler } from '../../../pages/failures.ts';
import { type Attributes, type Html, html, pageText } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { isOwnForm } from '../../../pages/own-forms.ts';
import type { PageRequest, Pages } from '../../../pages/page-request.ts';
import { notFound } from '../../../pages/public/answers.ts';
import { layout, type Surroundings } from '../../../pages/public/layout.ts';
import type { Words } from '../../../pages/words.ts';
import type { TermView } from '../../../queries/published.ts';
import { type Sender, SUBMITTED_FIELDS, type SubmittedForm } from '../domain/submission.ts';
import type { FollowedSubmission, FormProblems, FormRefusal, Submissions } from '../http/submissions.ts';

interface SubmitDependencies {
  readonly pages: Pages;
  readonly submissions: Submissions;
}

const HTML = 'text/html; charset=utf-8';
const MAX_BODY = 100_000;
const MAX_CATEGORIES = 100;

const STATUSES: { readonly [Why in FormRefusal]: number } = {
  too_quick: 400,
  too_old: 400,
  too_many: 429,
  too_many_of_mail: 429,
  full: 503,
};

type ByToken = { readonly Params: { readonly token: string } };

export const submitting =
  ({
    pages,
    submissions,
    handleError,
  }: SubmitDependencies & { readonly handleError: ErrorHandler }): FastifyPluginAsync =>
  async (app) => {
    const { calendar } = pages;
    await app.register(formbody, { parser: parseParameters, bodyLimit: MAX_BODY });
    app.setErrorHandler(handleError);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    async function offeredIn({ visit }: PageRequest): Promise<Offered> {
      const [terms, { venues }] = await Promise.all([calendar.terms(), calendar.places(visit)]);
      const categories = [...terms.values()]
        .filter(({ kind }) => kind === 'category')
        .sort((one, other) => compareLetters(one.name, other.name) || one.id - other.id)
        .slice(0, MAX_CATEGORIES);
      return { categories, venues };
    }

    interface FormState {
      readonly input: Omit<Typed, 'ticket'>;
      readonly offered: Offered;
      readonly problems?: FormProblems;
      readonly why?: FormRefusal;
      /** The ticket of the form as it was opened: a form that is given back keeps the time of its opening. */
      readonly ticket?: string;
    }

    async function showForm(
      reply: FastifyReply,
      page: PageRequest,
      status: number,
      state: FormState,
    ): Promise<FastifyReply> {
      const { surroundings, parameters, visit } = page;
      const { input, offered, problems = {}, why } = state;
      const ticket = state.ticket ?? (await submissions.ticket(visit.now));
      const locale = typeof parameters._locale === 'string' ? [['_locale', parameters._locale] as const] : [];
      const body = submitPage(surroundings, {
        action: address('/submit', locale),
        input,
        ticket,
        offered,
        problems,
        problem: why === undefined ? null : surroundings.words(`submit_${why}`),
      });
      return send(reply.code(status), page, pageText(body, page.surroundings.site));
    }

    const send = (reply: FastifyReply, { surroundings }: PageRequest, body: string): FastifyReply =>
      reply.headers({ 'content-language': surroundings.language.code, vary: 'Accept-Language' }).type(HTML).send(body);

    app.get('/submit', async (request, reply) => {
      const page = pages.open(request);
      return showForm(reply, page, 200, { input: BLANK, offered: await offeredIn(page) });
    });

    app.post('/submit', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const page = pages.open(request);
      const { surroundings, visit } = page;
      const offered = await offeredIn(page);
      const input = typedIn((request.body ?? {}) as ParameterMap, offered); // What the parser of forms makes.
      const { ticket, form, sender } = input;
      if (!isOwnForm(request, surroundings.site)) return showForm(reply, page, 403, { input, offered, why: 'too_old' });
      // A program has filled in what people do not see: it need not know that it was noticed.
      if (input.trap !== '') return reply.redirect('/submit/sent', 303);
      const problems = problemsOf(input, surroundings.words);
      if (Object.keys(problems).length > 0) return showForm(reply, page, 400, { input, offered, problems, ticket });
      const result = await submissions.take({
        sender,
        form,
        ticket,
        now: visit.now,
        correlationId: request.id,
        language: surroundings.language,
        site: surroundings.site,
        client: request.client(),
      });
      if (result.kind === 'taken') return reply.redirect('/submit/sent', 303);
      if (result.kind === 'problems')
        return showForm(reply, page, 400, { input, offered, problems: result.problems, ticket });
      return showForm(reply, page, STATUSES[result.why], {
        input,
        offered,
        why: result.why,
        ...(result.why !== 'too_old' && { ticket }),
      });
    });

    app.get('/submit/sent', async (request, reply) => {
      const page = pages.open(request);
      return send(reply, page, pageText(sentPage(page.surroundings), page.surroundings.site));
    });

    /** Private to one person: no search engine and no page that is linked from there learns the address. */
    async function find(reply: FastifyReply, token: string): Promise<FollowedSubmission> {
      reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
      const submission = await submissions.find(token);
      if (submission === null) throw notFound();
      return submission;
    }

    async function showStatus(
      request: FastifyRequest,
      reply: FastifyReply,
      token: string,
      problems: FormProblems | null,
    ) {
      const followed = await find(reply, token);
      const { proposal } = followed;
      const page = pages.open(request);
      const eventPath = proposal?.state === 'applied' ? await calendar.pathOf(proposal.event) : null;
      const body = statusPage(page.surroundings, { ...followed, token, eventPath, problems });
      return send(reply.code(problems ? 409 : 200), page, pageText(body, page.surroundings.site));
    }

    // Programs that look through mail follow links: opening one changes nothing.
    app.get<ByToken>('/submit/:token', (request, reply) => showStatus(request, reply, request.params.token, null));

    app.post<ByToken>('/submit/:token/confirm', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const { token } = request.params;
      const { submission } = await find(reply, token);
      const { visit, surroundings } = pages.open(request);
      const { language } = surroundings;
      const problems = await submissions.confirm({ now: visit.now, correlationId: request.id, language }, submission);
      return problems ? showStatus(request, reply, token, problems) : reply.redirect(`/submit/${token}`, 303);
    });

    app.post<ByToken>('/submit/:token/withdraw', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const { token } = request.params;
      const { submission } = await find(reply, token);
      const { visit } = pages.open(request);
      await submissions.withdraw({ now: visit.now, correlationId: request.id }, submission);
      return reply.redirect(`/submit/${token}`, 303);
    });
  };

// The form with which visitors submit an event. It works without scripts; what was typed comes back with what is wrong.

interface SubmitForm {
  readonly action: string;
  readonly input: Omit<Typed, 'ticket'>;
  readonly ticket: string;
  readonly offered: Offered;
  /** By field. */
  readonly problems: FormProblems;
  /** About the form as a whole; null: there is nothing to say. */
  readonly problem: string | null;
}

interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
}

const field = ({ name, label, hint, problem }: FormField, input: Html): Html => html`<div class="field">
    <label for=${name}>${label}</label>
    ${input}
    ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${name}-problem`}>${problem}</p>`}
  </div>`;

function submitPage(surroundings: Surroundings, state: SubmitForm): Html {
  const { words } = surroundings;
  const { action, input, ticket, offered, problems } = state;
  const values: { readonly [name: string]: string } = { ...input.form, ...input.sender };
  const line = (name: string, label: string, more: Attributes = {}, hint?: string): Html => {
    const one: FormField = { name, label, problem: problems[name], ...(hint !== undefined && { hint }) };
    return field(
      one,
      html`<input id=${name} name=${name} value=${values[name]} maxlength=${limitOf(name)} ...${described(one)} ...${more} />`,
    );
  };
  const time = (name: string, label: string, more: Attributes = {}, hint?: string): Html =>
    line(name, label, { type: 'datetime-local', ...more }, hint);
  const about: FormField = { name: 'description', label: words('field_description'), problem: problems.description };
  return layout(surroundings, {
    title: words('submit'),
    description: words('submit_intro'),
    canonical: '/submit',
    current: 'submit',
    main: html`<h1>${words('submit')}</h1>
      <p>${words('submit_intro')}</p>
      ${summary(surroundings, state)}
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
        ${categories(surroundings, state)}
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
    title: words('field_title'),
    start_date: words('field_start'),
    end_date: words('field_end'),
    description: words('field_description'),
    venue: words('venue'),
    address: words('address'),
    city: words('field_city'),
    categories: words('categories'),
    cost: words('price'),
    website: words('website'),
    name: words('field_sender'),
    email: words('field_email'),
  };
  const names = Object.keys(labels).filter((name) => problems[name] !== undefined);
  const rest = problems[''];
  if (problem === null && names.length === 0 && rest === undefined) return false;
  return html`<div class="problem" role="alert">
    <p>${problem ?? rest ?? words('fields_wrong')}</p>
    ${names.length > 0 && html`<ul>${names.map((name) => html`<li><a href=${`#${name}`}>${labels[name]}</a></li>`)}</ul>`}
  </div>`;
}

function categories({ words }: Surroundings, { offered, input }: SubmitForm): Html | false {
  const chosen = new Set(input.form.categories.split('\n'));
  return (
    offered.categories.length > 0 &&
    html`<fieldset id="categories"><legend>${words('categories')}</legend>
      <div class="checks">${offered.categories.map(
        ({ id, name }) =>
          html`<label class="check"><input type="checkbox" name="categories[]" value=${id} checked=${chosen.has(String(id))} /><span>${lineOfHtml(name)}</span></label>`,
      )}</div></fieldset>`
  );
}

// What a sender sees of a submission by the private link, and the page after the form.

interface FollowedPage extends FollowedSubmission {
  readonly token: string;
  /** The path of the page of the event, once visitors may see it. */
  readonly eventPath: string | null;
  /** Why it could not be confirmed. */
  readonly problems: FormProblems | null;
}

const sentPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: surroundings.words('submit_sent'),
    main: html`<h1>${surroundings.words('submit_sent')}</h1><p>${surroundings.words('submit_sent_text')}</p>`,
  });

/** In words, and a sentence about it. */
type Stage = readonly [word: PageWord, text: PageWord];

const GONE: PageWord = 'submission_gone_text';

function stageOf({ submission, proposal }: FollowedSubmission): Stage {
  if (submission.state === 'expired') return ['submission_expired', GONE];
  if (submission.state === 'withdrawn' || submission.state === 'erased') return ['submission_withdrawn', GONE];
  if (proposal === null) return ['submission_received', 'submission_received_text'];
  switch (proposal.state) {
    case 'open':
    case 'approved_for_set':
      return ['submission_review', 'submission_review_text'];
    case 'changes_requested':
      return ['submission_changes', 'submission_changes_text'];
    case 'approved':
    case 'applied':
      return ['submission_accepted', 'submission_accepted_text'];
    case 'rejected':
      return ['submission_declined', 'submission_declined_text'];
    case 'withdrawn':
      return ['submission_withdrawn', GONE];
  }
}

function statusPage(surroundings: Surroundings, followed: FollowedPage): Html {
  const { words } = surroundings;
  const { submission, proposal, token, eventPath, problems } = followed;
  const [word, text] = stageOf(followed);
  const isReviewed = word === 'submission_changes' || word === 'submission_declined';
  const isWaiting = word === 'submission_received' || word === 'submission_review' || word === 'submission_changes';
  const button = (step: 'confirm' | 'withdraw', more: string | false): Html =>
    html`<form method="post" action=${`/submit/${token}/${step}`}><button type="submit" class=${more}>${words(`submission_${step}`)}</button></form>`;
  return layout(surroundings, {
    title: words(word),
    main: html`<h1>${words(word)}</h1>
      ${isWaiting && html`<p><strong>${submission.form.title}</strong></p>`}
      <p>${words(text)}</p>
      ${problems && html`<div class="problem" role="alert">${Object.values(problems).map((problem) => html`<p>${problem}</p>`)}</div>`}
      ${isReviewed && proposal?.said && html`<h2>${words('submission_said')}</h2><blockquote><p>${proposal.said}</p></blockquote>`}
      ${eventPath !== null && word === 'submission_accepted' && html`<p><a class="button" href=${eventPath}>${words('to_event')}</a></p>`}
      <div class="steps">
        ${word === 'submission_received' && button('confirm', false)}
        ${isWaiting && button('withdraw', 'quiet')}
      </div>`,
  });
}

// What a visitor has typed into the form of a submission, and what the page itself finds wrong with it.

/** What the form offers. */
interface Offered {
  readonly categories: readonly TermView[];
  readonly venues: readonly VenueAnswer[];
}

interface Typed {
  readonly form: SubmittedForm;
  readonly sender: Sender;
  readonly ticket: string;
  /** The value of a field that people do not see: programs fill it. */
  readonly trap: string;
}

const TRAP = 'homepage';

const LINES = ['title', 'start_date', 'end_date', 'venue', 'address', 'city', 'website', 'cost'] as const;

/** Characters at most. */
const LIMITS: { readonly [field: string]: number } = {
  title: 200,
  description: 20_000,
  venue: 200,
  address: 200,
  city: 100,
  website: 500,
  cost: 100,
  name: 100,
  email: 254,
};

const limitOf = (field: string): number => LIMITS[field] ?? 100;

const EMAIL =
  /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

/** Categories and venues are those that were offered: their names alone are known to visitors. */
function typedIn(body: ParameterMap, { categories, venues }: Offered): Typed {
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name].trim() : '');
  const line = (name: string): string => text(name).replace(/\s+/g, ' ');
  const lines = Object.fromEntries(LINES.map((name) => [name, line(name)])) as Pick<
    SubmittedForm,
    (typeof LINES)[number]
  >;
  const ids = new Set(categories.map(({ id }) => String(id)));
  const venue = venues.find(({ venue: name }) => lineOfHtml(name).toLowerCase() === lines.venue.toLowerCase());
  return {
    form: {
      ...lines,
      description: text('description').replaceAll('\r\n', '\n'),
      all_day: text('all_day') === '' ? '' : '1',
      categories: listIn(body.categories)
        .filter((id) => ids.has(id))
        .join('\n'),
      venue_id: venue ? String(venue.id) : '',
    },
    sender: { name: line('name'), email: line('email') },
    ticket: text('ticket'),
    trap: text(TRAP),
  };
}

const listIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Nothing typed. */
const BLANK: Omit<Typed, 'ticket'> = {
  form: Object.fromEntries(SUBMITTED_FIELDS.map((name) => [name, ''])) as SubmittedForm, // All of its members.
  sender: { name: '', email: '' },
  trap: '',
};

/** As browsers send it: such texts compare like times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const NEEDED = ['title', 'start_date', 'name', 'email'] as const;

function problemsOf({ form, sender }: Typed, words: Words): FormProblems {
  const values: { readonly [field: string]: string } = { ...form, ...sender };
  const long = Object.keys(LIMITS).filter((name) => (values[name] ?? '').length > limitOf(name));
  const isBackwards = TIME.test(form.start_date) && TIME.test(form.end_date) && form.end_date < form.start_date;
  const empty = NEEDED.filter((name) => values[name] === '');
  return {
    ...(isBackwards && { end_date: words('end_before_start') }),
    ...(EMAIL.test(sender.email) ? {} : { email: words('email_wrong') }),
    ...Object.fromEntries(long.map((name) => [name, words('field_too_long', { most: limitOf(name) })])),
    ...Object.fromEntries(empty.map((name) => [name, words('field_needed')])),
  };
}
