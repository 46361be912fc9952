/** The session, for the menu that ends it. */
import { createContext } from 'react'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | undefined>(undefined)
