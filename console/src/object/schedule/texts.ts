/** Texts of schedules. */
import { defineTexts } from '../../ui/language.tsx'

export const scheduleTexts = defineTexts('schedule', {
  rhythm: 'Schedule',
  byHand: 'Only by hand',
  minutes: 'Every 5 minutes',
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
  custom: 'Cron expression',
  at: '{rhythm} at {time}',
  onDay: '{day}, {time}',
  onDayOfMonth: 'Every month on day {day} at {time}',
  time: 'Time',
  day: 'Day',
  timeZone: 'Time zone',
})
