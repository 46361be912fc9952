/** The labels of colours, orientations and states of contents in facets. */
import type { contentStatuses, orientations, palette } from '@kontor/contract'
import type { Labels } from '../../core/outbox/documents.ts'

type Texts<Name extends string> = Readonly<Record<Name, readonly [english: string, german: string, french: string]>>
const labelsOf = <Name extends string>(texts: Texts<Name>): ReadonlyMap<string, Labels> =>
  new Map(
    Object.entries<Texts<Name>[Name]>(texts).map(([name, [english, german, french]]) => [
      name,
      { '': english, de_DE: german, fr_FR: french },
    ]),
  )

export const orientationLabels = labelsOf<(typeof orientations)[number]>({
  landscape: ['Landscape', 'Querformat', 'Paysage'],
  portrait: ['Portrait', 'Hochformat', 'Portrait'],
  square: ['Square', 'Quadratisch', 'Carré'],
  panorama: ['Panorama', 'Panorama', 'Panorama'],
})

export const contentLabels = labelsOf<(typeof contentStatuses)[number]>({
  available: ['Available', 'Verfügbar', 'Disponible'],
  unchecked: ['Not checked for viruses yet', 'Noch nicht auf Viren geprüft', 'Pas encore analysé'],
  infected: ['In quarantine', 'In Quarantäne', 'En quarantaine'],
  tooLarge: ['Too large to check', 'Zu groß für die Prüfung', 'Trop grand pour l’analyse'],
  missing: ['Missing', 'Fehlt', 'Manquant'],
  damaged: ['Damaged', 'Beschädigt', 'Endommagé'],
  unreadable: ['Unreadable', 'Nicht lesbar', 'Illisible'],
  archived: ['In the archive', 'Im Archiv', 'Archivé'],
})

export const colourLabels = labelsOf<keyof typeof palette>({
  black: ['Black', 'Schwarz', 'Noir'],
  grey: ['Grey', 'Grau', 'Gris'],
  white: ['White', 'Weiß', 'Blanc'],
  red: ['Red', 'Rot', 'Rouge'],
  orange: ['Orange', 'Orange', 'Orange'],
  yellow: ['Yellow', 'Gelb', 'Jaune'],
  olive: ['Olive', 'Oliv', 'Olive'],
  green: ['Green', 'Grün', 'Vert'],
  teal: ['Teal', 'Petrol', 'Bleu canard'],
  turquoise: ['Turquoise', 'Türkis', 'Turquoise'],
  blue: ['Blue', 'Blau', 'Bleu'],
  navy: ['Navy', 'Dunkelblau', 'Bleu marine'],
  purple: ['Purple', 'Violett', 'Violet'],
  pink: ['Pink', 'Rosa', 'Rose'],
  brown: ['Brown', 'Braun', 'Marron'],
  beige: ['Beige', 'Beige', 'Beige'],
})
