import { createContext } from 'react';

/** The time zone of the venue that a part of the page is about; undefined: the user's. */
export const VenueZone = createContext<string | undefined>(undefined);
