// Whether events of other calendars take place, and the notices that they bring along.
import {
  EVENT_STATUSES,
  type EventStatus,
  type EventStatusPatch,
  NOTICE_TYPES,
  type Notice,
} from '../../calendar/event/domain/event-status.ts';
import type { OnlinePatch } from '../../calendar/event/domain/online.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../kernel/text/plain-text.ts';
import { isWebAddress } from '../../kernel/text/web-address.ts';
import { type ForeignRecord, flagIn, isObject, isWallClock, objectsIn, textIn } from './fields.ts';

const WORDS: { readonly [word: string]: EventStatus } = {
  ...Object.fromEntries(EVENT_STATUSES.map((status) => [status, status])),
  ...named(
    'canceled',
    'cancelled,abgesagt,entfällt,fällt aus,annulé,annulée,cancelado,cancelada,annullato,annullata,geannuleerd,afgelast,odwołane,inställt,aflyst,avlyst,peruttu,zrušeno,törölve,iptal,中止',
  ),
  ...named('postponed', 'verschoben,reporté,reportée,aplazado,pospuesto,adiado,rinviato,uitgesteld,延期'),
  ...named('scheduled', 'confirmed,rescheduled,movedonline'),
};

function named(status: EventStatus, words: string): { readonly [word: string]: EventStatus } {
  return Object.fromEntries(words.split(',').map((word) => [word, status]));
}

/** The status that a word of a calendar or a table stands for; undefined for words that say nothing about it. */
export const eventStatusNamed = (word: string): EventStatus | undefined =>
  WORDS[
    word
      .trim()
      .toLowerCase()
      .replace(/^(?:https?:\/\/schema\.org\/)?event(?=[a-z])/, '')
  ];

/** By its own member, or by schema.org's. */
function eventStatusIn(record: ForeignRecord): EventStatus | undefined {
  const jsonLd = isObject(record.json_ld) ? (textIn(record.json_ld, 'eventStatus') ?? '') : '';
  return eventStatusNamed(textIn(record, 'event_status') ?? jsonLd);
}

/** Absent members are left as they are here. */
export function attendanceIn(record: ForeignRecord): EventStatusPatch & OnlinePatch {
  const notices = objectsIn(record, 'notices')?.flatMap(noticeIn);
  return present({ eventStatus: eventStatusIn(record), notices, online: onlineIn(record) });
}

/** Whether it is online, in the words of the API; undefined if the record does not say. */
function onlineIn(record: ForeignRecord): OnlinePatch['online'] {
  const isVirtual = flagIn(record, 'is_virtual');
  const address = (textIn(record, 'virtual_url') ?? '').trim();
  const virtualUrl = isWebAddress(address) ? address : null;
  if (isVirtual === undefined && virtualUrl === null) return undefined;
  return {
    isVirtual: isVirtual ?? true,
    virtualUrl,
    virtualVideoSource: oneLine(textIn(record, 'virtual_video_source') ?? ''),
  };
}

/** A notice without a date that can be read is left out. */
function noticeIn(record: ForeignRecord): Notice[] {
  const date = secondsIn(record, 'date_utc');
  if (date === null) return [];
  const start = textIn(record, 'previous_start_date') ?? '';
  const startsAt = secondsIn(record, 'previous_utc_start_date');
  return [
    {
      type: NOTICE_TYPES.find((type) => type === record.type) ?? 'notice',
      text: oneLine(textIn(record, 'text') ?? ''),
      ...(isWallClock(start) && startsAt !== null && { previous: { start, startsAt } }),
      date,
    },
  ];
}

function secondsIn(record: ForeignRecord, name: string): number | null {
  const text = textIn(record, name) ?? '';
  return isWallClock(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) / 1000 : null;
}
