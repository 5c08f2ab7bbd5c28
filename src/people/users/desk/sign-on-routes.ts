// The way to the page of the single sign-on's issuer and back, which needs no session.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { isEncrypted } from '../../../http/base-url.ts';
import { ApiError } from '../../../http/errors.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { Desk } from '../../../pages/desk/dependencies.ts';
import { type DeskSurroundings, textOf } from '../../../pages/desk/page.ts';
import { leadTo, showTo } from '../../../pages/desk/show.ts';
import { sessionText } from '../../auth/sessions.ts';
import type { SignOnFailure } from '../../auth/sign-on-flow.ts';
import { SIGN_ON_SESSION_SECONDS } from '../domain/desk-access.ts';
import type { SignOnAtIssuer } from '../http/bearers.ts';
import { SIGN_ON_START, signInPage } from './sign-in-page.ts';
import { cookieTerms, setCookie, within } from './sign-in-routes.ts';

/** Where the issuer leads back to; its operators have to allow this address. */
const SIGN_ON_BACK = '/desk/sign-on/callback';

/** For as long as one may take at the issuer's page. */
const KEPT_SECONDS = 600;

const TOLD: { readonly [Why in SignOnFailure]: { readonly status: number; readonly word: DeskWord } } = {
  denied: { status: 403, word: 'sign_on_denied' },
  stale: { status: 400, word: 'sign_on_stale' },
  unreliable: { status: 502, word: 'sign_on_unreliable' },
  unavailable: { status: 503, word: 'sign_on_unavailable' },
};

export function issuerRoutes(app: FastifyInstance, desk: Desk): void {
  const { atIssuer } = desk;
  if (atIssuer === null) return;
  const { flow } = atIssuer;

  app.get(SIGN_ON_START, async (request, reply) => {
    const around = desk.surroundings(request);
    const begun = await flow.begin(`${around.site}${SIGN_ON_BACK}`, within(textOf(around.parameters, 'to')));
    if (begun === null) return refuse(reply, around, 'unavailable');
    reply.setCookie(keptName(around), begun.ticket, { ...cookieTerms(around.site), maxAge: KEPT_SECONDS });
    return reply.redirect(begun.address, 303);
  });

  app.get(SIGN_ON_BACK, async (request, reply) => {
    const around = desk.surroundings(request);
    const returned = await flow.complete(new URL(request.url, around.site), request.cookies[keptName(around)]);
    reply.clearCookie(keptName(around), cookieTerms(around.site));
    if (returned.kind === 'token') return enter(reply, around, atIssuer, returned);
    // The back button leads here after a sign-in that went well.
    const isIn = await desk.access.find(request.cookies[desk.cookieName(around)], around.now);
    return returned.why === 'stale' && isIn ? leadTo(reply, '/desk') : refuse(reply, around, returned.why);
  });

  async function enter(
    reply: FastifyReply,
    around: DeskSurroundings,
    { admit }: SignOnAtIssuer,
    { idToken, to }: { readonly idToken: string; readonly to: string },
  ): Promise<FastifyReply> {
    const outcome = await admit(idToken);
    if (outcome.kind === 'refused') {
      const error = new ApiError(outcome.code);
      // A token that the issuer has just handed out is not the fault of the person.
      return error.code === 'rest_invalid_token'
        ? refuse(reply, around, 'unreliable')
        : tell(reply, around, error.status, error.text(around.language));
    }
    const { caller: user } = outcome;
    if (user === null) return refuse(reply, around, 'unreliable');
    const { now } = around;
    const asking = { user, now, id: reply.request.id };
    const token = await desk.access.start(asking, { user, ends: now + SIGN_ON_SESSION_SECONDS });
    setCookie(desk, reply, sessionText(token));
    return leadTo(reply, within(to));
  }

  const refuse = (reply: FastifyReply, around: DeskSurroundings, why: SignOnFailure): FastifyReply =>
    tell(reply, around, TOLD[why].status, around.words(TOLD[why].word, { name: flow.name }));

  const tell = (reply: FastifyReply, around: DeskSurroundings, status: number, note: string): FastifyReply =>
    showTo(reply, around, signInPage(around, { status, to: '/desk', carried: null, signOn: desk.signOn, note }));
}

const keptName = ({ site }: DeskSurroundings): string =>
  isEncrypted(site) ? '__Host-daybook-sign-on' : 'daybook-sign-on';
