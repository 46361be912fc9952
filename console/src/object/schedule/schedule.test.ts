import { expect, test } from 'vitest'
import { choiceOf, cronOf } from './schedule.ts'

test.each([
  [undefined, 'byHand'],
  ['*/5 * * * *', 'minutes'],
  ['0 * * * *', 'hourly'],
  ['30 6 * * *', 'daily'],
  ['0 6 * * 1-5', 'weekdays'],
  ['0 6 * * 0', 'weekly'],
  ['15 23 28 * *', 'monthly'],
  ['0 6 29 * *', 'custom'],
  ['0 6 * 1 *', 'custom'],
])('%s is %s, and becomes the same again', (cron, rhythm) => {
  const choice = choiceOf(cron)
  expect(choice.rhythm).toBe(rhythm)
  expect(cronOf(choice)).toBe(cron)
})

test('the time is shown with two digits', () => {
  expect(choiceOf('5 6 * * *').time).toBe('06:05')
})
