// Security headers: the policies, and @fastify/helmet that writes them.
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { concernsApi } from './request-context.ts';

/** How the public reaches the service. `https`: only encrypted, and browsers may remember that. */
export type PublicScheme = 'http' | 'https';

/** Seconds: a year. Subdomains are none of our business. */
const HSTS = { maxAge: 31_536_000, includeSubDomains: false } as const;

/**
 * For data. Left out is what only concerns pages (opener, agent cluster, DNS prefetch), or obsolete programs (downloads
 * of Internet Explorer, Flash, XSS filters), and a second header against framing. `nosniff` is among the common headers
 * already. Addresses may contain a password, so no referrer is sent.
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
 * For a page of ours with its scripts and styles: register it with `@fastify/helmet` in the page's own plugin. Scripts
 * come from here alone; inline styles are allowed, as generated pages have them. Its requests go to this origin, and
 * images may be part of it.
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

declare module 'fastify' {
  interface FastifyInstance {
    /** What helmet writes to each answer for data; empty before the first one. */
    readonly policies: { [name: string]: string };
  }
}

/**
 * Helmet on the first answer, and the same headers on all others: it would build the same policy anew for each of them. Answers
 * of the API take them with their other headers (plugins/answers.ts): Node writes headers that come from two places one by one.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { scheme }: { readonly scheme: PublicScheme }) => {
  await app.register(helmet, { ...dataPolicy(scheme), global: false });
  const policies: { [name: string]: string } = {};
  app.decorate('policies', policies);
  let isLearned = false;
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    if (!isLearned) {
      isLearned = true;
      const before = new Set(raw.getHeaderNames());
      reply.helmet();
      for (const name of raw.getHeaderNames()) if (!before.has(name)) policies[name] = String(raw.getHeader(name));
    } else if (!concernsApi(request)) {
      for (const name in policies) raw.setHeader(name, policies[name] ?? '');
    }
    done();
  });
});
