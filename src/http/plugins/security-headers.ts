// Security headers: the policies, and @fastify/helmet that writes them.
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

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

/**
 * Helmet on the first answer, and the same headers on all others: it would build the same policy anew for each of them.
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
