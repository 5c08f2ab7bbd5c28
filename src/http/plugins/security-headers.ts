// What browsers are told to do with answers: the policies, and @fastify/helmet that puts them into headers.
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** How the public reaches the service. `https`: by nothing else, and browsers may remember it. */
export type PublicScheme = 'http' | 'https';

/** Seconds: a year. Names below this one are none of our business. */
const HSTS = { maxAge: 31_536_000, includeSubDomains: false } as const;

/**
 * For answers that are data. Left out is what only concerns pages (opener, agent cluster, DNS prefetch), or programs that
 * are gone (downloads of Internet Explorer, Flash, filters for scripts), and framing a second time. `nosniff` stands
 * among the common headers already. Addresses may hold a password, so nothing is sent on as a referrer.
 */
function dataPolicy(scheme: PublicScheme): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: scheme === 'https' ? HSTS : false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xContentTypeOptions: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/**
 * For a page that we serve ourselves with its scripts and styles beside it: to be registered with `@fastify/helmet` in the
 * page's own plugin. Scripts come from here alone; styles may stand in the page, as generated pages have them. Its
 * requests go to this origin, and images may be part of it.
 */
export function pagePolicy(scheme: PublicScheme): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: scheme === 'https' ? HSTS : false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
}

export const schemeOf = (siteUrl: string | null): PublicScheme => (siteUrl?.startsWith('https:') ? 'https' : 'http');

/**
 * Helmet on the first answer, and the same headers on all others: it would build its policy anew for each of
 * them, and the same text would come of it.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { scheme }: { readonly scheme: PublicScheme }) => {
  await app.register(helmet, { ...dataPolicy(scheme), global: false });
  let headers: readonly (readonly [string, string])[] | null = null;
  app.addHook('onRequest', (_request, reply, done) => {
    const { raw } = reply;
    if (headers === null) {
      const before = new Set(raw.getHeaderNames());
      reply.helmet();
      const written = raw.getHeaderNames().filter((name) => !before.has(name));
      headers = written.map((name) => [name, String(raw.getHeader(name))]);
    } else {
      for (const [name, value] of headers) raw.setHeader(name, value);
    }
    done();
  });
});
