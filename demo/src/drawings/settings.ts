/** The settings of scenes, and where each group of products is used. */
import { indoors } from './indoors.ts'
import { inland } from './inland.ts'
import type { Setting } from './landscape.ts'
import { shores } from './shores.ts'

export const settings: Readonly<Record<string, Setting>> = { ...shores, ...inland, ...indoors }

/** The keyword of a setting. */
export const motifOf = (setting: string) =>
  setting === 'On board' ? setting : Object.hasOwn(indoors, setting) ? 'Indoors' : 'Landscape'

// prettier-ignore
export const settingsOf: Readonly<Record<string, readonly string[]>> = {
  Clothing:   ['Mountains', 'On board'],
  Boats:      ['Lake', 'Harbour'],
  Safety:     ['Lighthouse', 'On board'],
  Deck:       ['Boatyard', 'Harbour'],
  Navigation: ['Chart table', 'Lighthouse'],
  Camping:    ['Campsite', 'Forest'],
}

/** Each setting is drawn in two seasons. */
export const scenes = Object.keys(settings).flatMap((setting, s) =>
  (s % 2 ? (['Spring', 'Autumn'] as const) : (['Summer', 'Winter'] as const)).map((season) => ({ setting, season })),
)

export type { Season } from './landscape.ts'
