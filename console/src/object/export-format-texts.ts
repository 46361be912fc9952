/** Texts of the format of exports and feeds. */
import { defineTexts } from '../ui/language.tsx'

export const exportFormatTexts = defineTexts('exportFormats', {
  format: 'Format',
  profile: 'Mapping profile',
  noProfile: 'None',
  locales: 'Languages',
  allLocales: 'All',
})
