/** Texts of the player. */
import { defineTexts } from '../../ui/language.tsx'

export const playerTexts = defineTexts('player', {
  waiting: 'This file waits to be prepared for playing.',
  running: 'Preparing this file for playing: {percent} %',
  failed: 'This file cannot be played here: {reason}',
  usePoster: 'Use this moment as the picture',
  posterStored: 'The picture is being made from {second} s.',
  removePoster: 'Choose the picture automatically',
  posterRemoved: 'The picture is being chosen again.',
  downloadStill: 'Download this moment as a picture',
  waveform: 'Waveform',
})
