// Submissions from the public: the form, and the private pages of those who have sent it.
import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { parseParameters } from '../../../http/parameters/query-string.ts';
import { compareLetters } from '../../../kernel/text/ascii-folding.ts';
import type { ErrorHandler } from '../../../pages/failures.ts';
import { pageText } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { isOwnForm } from '../../../pages/own-forms.ts';
import type { PageRequest, Pages } from '../../../pages/page-request.ts';
import { notFound } from '../../../pages/public/answers.ts';
import type { FollowedSubmission, FormProblems, FormRefusal, Submissions } from '../http/submissions.ts';
import { submitPage } from './form-page.ts';
import { sentPage, statusPage } from './status-page.ts';
import { BLANK, type Offered, problemsOf, type Typed, typedIn } from './typed.ts';

export interface SubmitDependencies {
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
      const categories = terms
        .filter(({ kind }) => kind === 'category')
        .sort((one, other) => compareLetters(one.name, other.name) || one.id - other.id)
        .slice(0, MAX_CATEGORIES);
      return { categories, venues };
    }

    interface Shown {
      readonly typed: Omit<Typed, 'ticket'>;
      readonly offered: Offered;
      readonly problems?: FormProblems;
      readonly why?: FormRefusal;
      /** Of the form as it was opened: one that is sent back keeps the time at which it was. */
      readonly ticket?: string;
    }

    async function showForm(
      reply: FastifyReply,
      page: PageRequest,
      status: number,
      shown: Shown,
    ): Promise<FastifyReply> {
      const { surroundings, sent, visit } = page;
      const { typed, offered, problems = {}, why } = shown;
      const ticket = shown.ticket ?? (await submissions.ticket(visit.now));
      const locale = typeof sent._locale === 'string' ? [['_locale', sent._locale] as const] : [];
      const body = submitPage(surroundings, {
        action: address('/submit', locale),
        ...{ typed, ticket, offered, problems },
        problem: why === undefined ? null : surroundings.words(`submit_${why}`),
      });
      return send(reply.code(status), page, pageText(body));
    }

    const send = (reply: FastifyReply, { surroundings }: PageRequest, body: string): FastifyReply =>
      reply.headers({ 'content-language': surroundings.language.code, vary: 'Accept-Language' }).type(HTML).send(body);

    app.get('/submit', async (request, reply) => {
      const page = pages.open(request);
      return showForm(reply, page, 200, { typed: BLANK, offered: await offeredIn(page) });
    });

    app.post('/submit', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const page = pages.open(request);
      const { surroundings, visit } = page;
      const offered = await offeredIn(page);
      const typed = typedIn((request.body ?? {}) as ParameterMap, offered); // What the parser of forms makes.
      const { ticket, form, sender } = typed;
      if (!isOwnForm(request, surroundings.site)) return showForm(reply, page, 403, { typed, offered, why: 'too_old' });
      // A program has filled in what people do not see: it need not know that it was noticed.
      if (typed.trap !== '') return reply.redirect('/submit/sent', 303);
      const problems = problemsOf(typed, surroundings.words);
      if (Object.keys(problems).length > 0) return showForm(reply, page, 400, { typed, offered, problems, ticket });
      const taken = await submissions.take({
        ...{ sender, form, ticket, now: visit.now, correlationId: request.id, language: surroundings.language },
        ...{ site: surroundings.site, client: request.client() },
      });
      if (taken.kind === 'taken') return reply.redirect('/submit/sent', 303);
      if (taken.kind === 'problems')
        return showForm(reply, page, 400, { typed, offered, problems: taken.problems, ticket });
      const isKept = taken.why !== 'too_old';
      return showForm(reply, page, STATUSES[taken.why], { typed, offered, why: taken.why, ...(isKept && { ticket }) });
    });

    app.get('/submit/sent', async (request, reply) => {
      const page = pages.open(request);
      return send(reply, page, pageText(sentPage(page.surroundings)));
    });

    /** Private to one person: no search engine and no page that is linked from there learns the address. */
    async function find(reply: FastifyReply, token: string): Promise<FollowedSubmission> {
      reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
      const found = await submissions.find(token);
      if (found === null) throw notFound();
      return found;
    }

    async function showStatus(
      request: FastifyRequest,
      reply: FastifyReply,
      token: string,
      problems: FormProblems | null,
    ) {
      const found = await find(reply, token);
      const page = pages.open(request);
      const isMade = found.proposal?.state === 'applied';
      const eventPath = isMade && found.proposal ? await calendar.pathOf(found.proposal.event) : null;
      const shown = statusPage(page.surroundings, { ...found, token, eventPath, problems });
      return send(reply.code(problems ? 409 : 200), page, pageText(shown));
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
