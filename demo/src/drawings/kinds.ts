/** The drawings of all kinds of products, by the name of their category. */
import { boats } from './boats.ts'
import { camping } from './camping.ts'
import { care } from './care.ts'
import { clothing } from './clothing.ts'
import { deck } from './deck.ts'
import { navigation } from './navigation.ts'
import type { Kind } from './pencil.ts'
import { safety } from './safety.ts'

export const kinds: Readonly<Record<string, Kind>> = { ...clothing, ...boats, ...safety, ...deck, ...navigation, ...camping, ...care } // prettier-ignore
