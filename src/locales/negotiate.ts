// In which language somebody wants to be answered.
import Negotiator from 'negotiator';
import type { Language } from './language.ts';
import { LANGUAGE_CODES, languageNamed } from './languages.ts';

export interface Negotiation {
  /** What `Accept-Language` prefers among the languages that there are; the configured one where it names none of them. */
  preferred(acceptLanguage: string | undefined): Language;
  /**
   * What `_locale` names: `de`, also as `de-AT` or `de_AT`. Undefined when it says nothing (absent, empty, or `user`: whatever
   * the reader has), null when there is no such language.
   */
  demanded(locale: unknown): Language | undefined | null;
}

/** Clients choose their headers, so only so many are remembered, and only such as browsers send. */
const MOST_HEADERS = 500;
const LONGEST_HEADER = 500;

const LOCALE = /^([a-z]{2,3})(?:[-_][a-z0-9_-]*)?$/i;

export function openNegotiation(configured: Language): Negotiation {
  // Of those that somebody likes equally well, the first is taken.
  const codes = [configured.code, ...LANGUAGE_CODES.filter((code) => code !== configured.code)];
  const known = new Map<string, Language>();

  function negotiated(acceptLanguage: string): Language {
    const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
    return languageNamed(negotiator.language(codes) ?? '') ?? configured;
  }

  return {
    preferred(acceptLanguage) {
      if (acceptLanguage === undefined || acceptLanguage === '' || acceptLanguage.length > LONGEST_HEADER)
        return configured;
      const before = known.get(acceptLanguage);
      if (before !== undefined) return before;
      if (known.size >= MOST_HEADERS) known.clear();
      const language = negotiated(acceptLanguage);
      known.set(acceptLanguage, language);
      return language;
    },
    demanded(locale) {
      if (locale === undefined || locale === '' || locale === 'user') return undefined;
      const code = typeof locale === 'string' ? LOCALE.exec(locale)?.[1] : undefined;
      return (code && languageNamed(code.toLowerCase())) || null;
    },
  };
}
