/** Texts of the format of exports and feeds, and of the files of mapping profiles. */
import { defineTexts } from '../ui/language.tsx'

export const exportFormatTexts = defineTexts('exportFormats', {
  format: 'Format',
  profile: 'Mapping profile',
  noProfile: 'None',
  locales: 'Languages',
  allLocales: 'All',
  madeForHint: 'Files whose usage rights do not cover it are left out.',
  inherited: 'Fill in inherited values',
  inheritedHint: 'For receivers. If you import the file again, they become values of the products.',
  downloadProfile: 'Download {name} as JSON',
  uploadProfile: 'Upload a mapping profile (JSON)',
  profileStored: 'Profile {name} stored',
  replaceProfile: 'Replace the profile “{name}”?',
  replaceProfileBody: 'The present one stays among its versions and can be restored.',
  replace: 'Replace',
})
