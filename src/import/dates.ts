// Dates in records: complete, or rejected.
import { parseCivil } from '../time/civil-time.ts';

/** Whether a text is an existing date and time (`YYYY-MM-DD HH:MM:SS`). */
export function isWallClock(text: string): boolean {
  try {
    return Number.isInteger(parseCivil(text));
  } catch {
    return false;
  }
}

/** Whether a text is an existing day (`YYYY-MM-DD`). */
export const isDay = (text: string): boolean => isWallClock(`${text} 00:00:00`);
