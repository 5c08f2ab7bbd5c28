// Languages as people write them: by their names in the language of the desk, or by their codes.
import { readLanguages } from '../domain/audience.ts';

/** Offered while they are typed; others are written by their codes. */
const OFFERED =
  'ar bg bn bs cs da de el en es et fa fi fr ga he hi hr hu hy id is it ja ka ko ku lt lv mk nl no pl ps pt ro ru sk sl sq sr sv ta th ti tr uk ur vi yi zh';

/** In the language of the code `desk`, as in the other functions. */
export function languageNames(desk: string): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(desk, { type: 'language' });
  return new Map(OFFERED.split(' ').map((code) => [names.of(code) ?? code, code]));
}

/** Codes for names; what is neither stays as it was typed. */
export function languagesNamed(desk: string, text: string): string {
  const codes = new Map([...languageNames(desk)].map(([name, code]) => [name.toLowerCase(), code]));
  const parts = text.split(/[,;、]/).flatMap((part) => part.trim() || []);
  return parts.map((part) => codes.get(part.toLowerCase()) ?? part).join(', ');
}

/** Names for codes; what is none stays as it was typed. */
export function languagesShown(desk: string, codes: string): string {
  const names = new Intl.DisplayNames(desk, { type: 'language' });
  return (
    readLanguages(codes)
      ?.map((code) => names.of(code))
      .join(', ') ?? codes
  );
}
