/**
 * Sample requests, and where useful sample replies, by operation id. The OpenAPI document and the reference page show them
 * in all three formats. One test checks each sample against the contract, another one sends it to a server.
 */
import type { Examples } from './build.ts'
import { cmExamples } from './cm.ts'
import { commonExamples } from './common.ts'
import { damExamples } from './dam.ts'
import { otherExamples } from './others.ts'
import { pimExamples } from './pim.ts'

export const examples: Examples = {
  ...cmExamples,
  ...commonExamples,
  ...damExamples,
  ...otherExamples,
  ...pimExamples,
}
