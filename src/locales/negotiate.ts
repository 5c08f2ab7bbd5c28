// Chooses the language of an answer.
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Language } from './language.ts';
import { LANGUAGE_CODES, languageNamed } from './languages.ts';

export type Negotiation = ReturnType<typeof openNegotiation>;

/** Clients choose their headers, so the cache is bounded, and holds only such as browsers send. */
const MAX_HEADERS = 500;
const MAX_HEADER_LENGTH = 500;

const LOCALE = /^([a-z]{2,3})(?:[-_][a-z0-9_-]*)?$/i;

/** `configured`: the language of the site. */
export function openNegotiation(configured: () => Language) {
  const negotiated = new LRUCache<string, Language>({ max: MAX_HEADERS });

  function negotiate(own: Language, acceptLanguage: string): Language {
    // Of equal preferences, the first counts.
    const codes = [own.code, ...LANGUAGE_CODES.filter((code) => code !== own.code)];
    const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
    return languageNamed(negotiator.language(codes) ?? '') ?? own;
  }

  return {
    /** The preferred available language in `Accept-Language`; the configured one if it names none. */
    preferred(acceptLanguage: string | undefined = ''): Language {
      const own = configured();
      if (acceptLanguage === '' || acceptLanguage.length > MAX_HEADER_LENGTH) return own;
      const key = `${own.code} ${acceptLanguage}`;
      const language = negotiated.get(key) ?? negotiate(own, acceptLanguage);
      negotiated.set(key, language);
      return language;
    },
    /**
     * The language that `_locale` names: `de`, also as `de-AT` or `de_AT`. Undefined without a wish (absent, empty, or
     * `user`: as the reader prefers), null for an unavailable one.
     */
    demanded(locale: unknown): Language | undefined | null {
      if (locale === undefined || locale === '' || locale === 'user') return undefined;
      const code = typeof locale === 'string' ? LOCALE.exec(locale)?.[1] : undefined;
      return (code && languageNamed(code.toLowerCase())) || null;
    },
  };
}
