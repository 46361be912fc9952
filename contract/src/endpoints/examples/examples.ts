/**
 * A sample request, and where it helps a sample reply, by the id of the operation. They are shown in the OpenAPI document
 * and the reference page in all three formats. A test reads each of them by the contract, another one sends it to a server.
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
