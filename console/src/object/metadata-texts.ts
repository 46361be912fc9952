/** Texts about metadata in files: downloads with it, what is written, and the tags of an attribute. */
import { defineTexts } from '../ui/language.tsx'

export const metadataTexts = defineTexts('fileMetadata', {
  more: 'More ways to download',
  embed: 'With metadata in the file',
  sidecar: 'Metadata as .xmp file',
  sidecars: 'With .xmp files',
  written: 'Written into the file',
  writtenHint: 'A download with metadata contains these values. The stored file stays as it is.',
  cannotCarry: 'Files of this type cannot carry metadata. Download it as an .xmp file.',
  nothing: 'No value of this file has a tag.',
  removed: 'removed from the file',
  readFrom: 'Read from',
  readHint: 'The first of these tags that a new file has fills the attribute.',
  writtenTo: 'Written to',
  writtenToHint: 'Downloads with metadata have the value in these tags.',
  noTag: 'No tag',
  shared: 'Write metadata into the originals',
  keywords: 'Keywords',
})
