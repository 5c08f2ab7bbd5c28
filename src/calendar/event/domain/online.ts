// Whether a calendar event takes place online, at a place, or both: an online event that has a venue is hybrid.
import type { Fact } from '../../../domain/decider.ts';

/** The names of the wire are those of the virtual events that clients of the contract know. */
export interface Online {
  /** False: it has been said that it is at a place only. */
  readonly isVirtual: boolean;
  /** Where to attend; null for none. */
  readonly virtualUrl: string | null;
  /** The service behind that address (`zoom`, `youtube`, …), as its editors name it; `''` for none. */
  readonly virtualVideoSource: string;
  /** It was public before as an event at a place. */
  readonly moved?: true;
}

/** In the state of an event. */
export interface Attendance {
  /** Absent: nothing was ever said about it. */
  readonly online?: Online;
}

/** Each has what holds after it; null: nothing is said about it any more. */
export type OnlineFact =
  | Fact<'EventMovedOnline', { readonly online: Online }>
  | Fact<'EventMovedOnSite', { readonly online: Online | null }>
  | Fact<'EventOnlineAddressChanged', { readonly online: Online }>;

/**
 * What commands take; absent members stay as they are. Null, from a revert: nothing is said about it. Whether it has
 * moved is for `onlineFacts` to say.
 */
export interface OnlinePatch {
  readonly online?: Partial<Online> | null;
}

const NOTHING_SAID: Online = { isVirtual: false, virtualUrl: null, virtualVideoSource: '' };

export const isOnline = ({ online }: Attendance): boolean => online?.isVirtual === true;

/** What holds after a patch. An address makes an event an online one unless the patch says otherwise. */
export function onlineAfter({ online: before }: Attendance, { online: patch }: OnlinePatch): Online | null {
  if (patch === undefined) return before ?? null;
  if (patch === null) return null;
  const isVirtual = patch.isVirtual ?? (patch.virtualUrl ? true : (before?.isVirtual ?? false));
  return { ...NOTHING_SAID, ...before, ...patch, isVirtual };
}

interface Published extends Attendance {
  readonly status: string;
}

/** The facts that apply a patch; none if nothing changes. */
export function onlineFacts(event: Published, patch: OnlinePatch): OnlineFact[] {
  const after = onlineAfter(event, patch);
  if (JSON.stringify(after) === JSON.stringify(event.online ?? null)) return [];
  if (!after) return [{ type: 'EventMovedOnSite', data: { online: null } }];
  const { moved: _before, ...said } = after;
  if (!after.isVirtual) return [{ type: 'EventMovedOnSite', data: { online: said } }];
  if (isOnline(event)) return [{ type: 'EventOnlineAddressChanged', data: { online: after } }];
  const online: Online = event.status === 'publish' ? { ...said, moved: true } : said;
  return [{ type: 'EventMovedOnline', data: { online } }];
}

/** Folds these facts; null for others. */
export function evolveOnline<State extends Attendance>(state: State, fact: Fact): State | null {
  switch (fact.type) {
    case 'EventMovedOnline':
    case 'EventMovedOnSite':
    case 'EventOnlineAddressChanged': {
      const { online: _before, ...rest } = state;
      // The data of such a fact; the other members are those of the state.
      const { online } = fact.data as { readonly online: Online | null };
      return (online ? { ...rest, online } : rest) as State;
    }
    default:
      return null;
  }
}
