// Who may see an event, in the words of calendars and tables.
import { isPostStatus, type PostInput, type PostStatus } from '../../calendar/resource/domain/post.ts';
import { eventStatusNamed } from './attendance.ts';
import { type ForeignRecord, filledTextIn } from './fields.ts';
import { FALSE } from './formats/table/cells.ts';

/** Among them are words that say only how far an event is certain. */
const OPEN =
  /^(?:publish(?:ed)?|public|open|live|active|approved|visible|normal|default|standard|everyone|all|tentative|upcoming|past|needs-action|in-process|completed|started|ended|final|sold out|on ?sale|off ?sale|full|available|everywhere|ausverkauft|complet|agotado|esaurito|uitverkocht|esgotado|満席|findet statt|bestätigt|confirmée?|confirmad[oa]|confermat[oa]|bevestigd|potwierdzone|確定|öffentlich|veröffentlicht|aktiv|sichtbar|publiée?|publique|actif|público|publicado|activo|pubblico|pubblicato|attivo|openbaar|gepubliceerd|actief|ativo|標準|公開)$/i;
const CLOSED =
  /^(?:intern(?:al|e|o|a|ally)?|privat[eo]?|privée?|confidential|vertraulich|confidentiel(?:le)?|confidencial|riservat[oa]|hidden|versteckt|cachée?|oculto|nascosto|verborgen|(?:not|nicht|non|no|niet|não) (?:public|öffentlich|publique|público|pubblico|openbaar)|members?\b.*|staff\b.*|unlisted|非公開|社内)$/i;
const DRAFT =
  /^(?:draft|unpublished|entwurf|unveröffentlicht|brouillon|borrador|bozza|concept|rascunho|szkic|utkast|kladde|udkast|luonnos|koncept|vázlat|taslak|下書き)$/i;

/** Absent: it says nothing that keeps an event from the public. Null: what it says is not known. */
export function publicationNamed(word: string): { readonly status?: PostStatus } | null {
  const text = word.trim().toLowerCase();
  if (isPostStatus(text) && text !== 'trash') return { status: text };
  if (CLOSED.test(text)) return { status: 'private' };
  if (DRAFT.test(text)) return { status: 'draft' };
  return text === '' || OPEN.test(text) || eventStatusNamed(text) ? {} : null;
}

/** Whether a word under a heading such as `visibility` does: each that is not known to say the opposite. */
export const keepsFromPublic = (text: string): boolean =>
  !FALSE.test(text) && (publicationNamed(text) ?? { status: 'draft' }).status !== undefined;

/** What is told of a record whose word for it is not known: it publishes nothing. */
export const unknownStatus = (word: string): string => `taken as a draft: its status "${word}" is not known`;

/** What is chosen for all new events makes none public of which its record says that it is not. */
export const isWithheld = (status: PostStatus | undefined): boolean => status === 'private' || status === 'draft';

/** What a record says of itself in the words of the API. One that is scheduled is a draft if it does not say for when: it would be public at once. */
export function publicationIn(record: ForeignRecord, status: string): Pick<PostInput, 'status' | 'dateUtc'> {
  if (!isPostStatus(status) || status === 'trash') return {};
  const dateUtc = filledTextIn(record, 'date_utc');
  if (status !== 'future') return { status };
  return dateUtc === undefined ? { status: 'draft' } : { status, dateUtc };
}

export const UNDATED = 'taken as a draft: it does not say when it is to be published';
