/** The texts of the identity pages in English, German and French, and the choice of the language. */

const en = {
  userName: 'User name',
  password: 'Password',
  newPassword: 'New password',
  newPasswordAgain: 'New password again',
  currentPassword: 'Current password',
  passwordHint: 'At least 12 characters. A few unrelated words make a good password.',
  code: 'Code',
  codeIfAny: 'Code from your authenticator app, if you use one',
  signIn: 'Sign in',
  choosePassword: 'Choose a password',
  chosenBySomebodyElse: 'Somebody else chose your current password. Choose one that only you know.',
  saveAndContinue: 'Save and continue',
  enterCode: 'Enter a code',
  codeHint: 'Open your authenticator app to see it. If you have lost the app, use one of your recovery codes.',
  continue: 'Continue',
  changeYourPassword: 'Change your password',
  changePasswordHint: 'You’ll be signed out everywhere. Then sign in with the new password.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed',
  yourPasswordIsChanged: 'Your password has been changed',
  signInAgain: 'Sign in again with the new password. Your personal tokens are no longer valid.',
  signOut: 'Sign out',
  signOutQuestion: 'Sign out?',
  signOutHint: 'This also signs you out of every application that you opened in this browser with this account.',
  staySignedIn: 'Stay signed in',
  signedOut: 'Signed out',
  youAreSignedOut: 'You are signed out',
  closeWindow: 'You can close this window.',
  notPossible: 'Something went wrong',
  didNotWork: 'This did not work',
  goBack: 'Go back to the application and try again.',
  expired: 'This sign-in has expired or was started in another window.',
  tooMany: 'Too many people are signing in right now. Try again in a minute.',
  tooManyAttempts: 'Too many attempts right now. Try again in a minute.',
  wrong: 'User name or password is wrong.',
  wrongCode: 'This code is wrong or has been used before.',
  wrongAny: 'User name, password or code is wrong.',
  codeMissing: 'Enter the code from your authenticator app, too.',
  notTheSame: 'The two new passwords are not the same.',
  otherSite: 'This form was sent by another site.',
}
export type PageTexts = Readonly<Record<keyof typeof en, string>>

const de: PageTexts = {
  userName: 'Benutzername',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordAgain: 'Neues Passwort noch einmal',
  currentPassword: 'Jetziges Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Ein paar Wörter, die nicht zusammengehören, sind ein gutes.',
  code: 'Code',
  codeIfAny: 'Code Ihrer Authenticator-App, falls Sie eine nutzen',
  signIn: 'Anmelden',
  choosePassword: 'Passwort wählen',
  chosenBySomebodyElse: 'Das bisherige hat jemand anders gewählt. Von nun an sollen nur Sie es kennen.',
  saveAndContinue: 'Speichern und weiter',
  enterCode: 'Code eingeben',
  codeHint:
    'Ihre Authenticator-App zeigt ihn. Haben Sie die App nicht mehr, nehmen Sie einen Ihrer Wiederherstellungscodes.',
  continue: 'Weiter',
  changeYourPassword: 'Passwort ändern',
  changePasswordHint: 'Alle Ihre Sitzungen enden, und Sie melden sich mit dem neuen Passwort neu an.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert',
  yourPasswordIsChanged: 'Ihr Passwort ist geändert',
  signInAgain: 'Melden Sie sich mit dem neuen wieder an. Ihre eigenen Tokens gelten nicht mehr.',
  signOut: 'Abmelden',
  signOutQuestion: 'Abmelden?',
  signOutHint: 'Alle Anwendungen, die Sie in diesem Browser mit diesem Konto geöffnet haben, werden mit abgemeldet.',
  staySignedIn: 'Angemeldet bleiben',
  signedOut: 'Abgemeldet',
  youAreSignedOut: 'Sie sind abgemeldet',
  closeWindow: 'Sie können dieses Fenster schließen.',
  notPossible: 'Nicht möglich',
  didNotWork: 'Das hat nicht geklappt',
  goBack: 'Gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal.',
  expired: 'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Fenster begonnen.',
  tooMany: 'Gerade gibt es zu viele Anmeldungen. Versuchen Sie es in einer Minute noch einmal.',
  tooManyAttempts: 'Gerade gibt es zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
  wrong: 'Benutzername oder Passwort ist falsch.',
  wrongCode: 'Dieser Code ist falsch oder wurde schon benutzt.',
  wrongAny: 'Benutzername, Passwort oder Code ist falsch.',
  codeMissing: 'Geben Sie auch den Code Ihrer Authenticator-App ein.',
  notTheSame: 'Die beiden neuen Passwörter sind nicht gleich.',
  otherSite: 'Dieses Formular kam von einer anderen Seite.',
}

const fr: PageTexts = {
  userName: 'Nom d’utilisateur',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  newPasswordAgain: 'Nouveau mot de passe, encore une fois',
  currentPassword: 'Mot de passe actuel',
  passwordHint: 'Au moins 12 caractères. Quelques mots sans rapport entre eux font un bon mot de passe.',
  code: 'Code',
  codeIfAny: 'Code de votre application d’authentification, si vous en utilisez une',
  signIn: 'Se connecter',
  choosePassword: 'Choisir un mot de passe',
  chosenBySomebodyElse:
    'Quelqu’un d’autre a choisi votre mot de passe actuel. Choisissez-en un que vous seul connaissez.',
  saveAndContinue: 'Enregistrer et continuer',
  enterCode: 'Saisir un code',
  codeHint:
    'Votre application d’authentification l’affiche. Si vous ne l’avez plus, utilisez l’un de vos codes de secours.',
  continue: 'Continuer',
  changeYourPassword: 'Changer votre mot de passe',
  changePasswordHint: 'Vous serez déconnecté partout. Connectez-vous ensuite avec le nouveau mot de passe.',
  changePassword: 'Changer le mot de passe',
  passwordChanged: 'Mot de passe changé',
  yourPasswordIsChanged: 'Votre mot de passe a été changé',
  signInAgain: 'Reconnectez-vous avec le nouveau mot de passe. Vos jetons personnels ne sont plus valables.',
  signOut: 'Se déconnecter',
  signOutQuestion: 'Se déconnecter ?',
  signOutHint: 'Vous serez aussi déconnecté de toutes les applications ouvertes dans ce navigateur avec ce compte.',
  staySignedIn: 'Rester connecté',
  signedOut: 'Déconnecté',
  youAreSignedOut: 'Vous êtes déconnecté',
  closeWindow: 'Vous pouvez fermer cette fenêtre.',
  notPossible: 'Une erreur s’est produite',
  didNotWork: 'Cela n’a pas fonctionné',
  goBack: 'Revenez à l’application et réessayez.',
  expired: 'Cette connexion a expiré ou a été commencée dans une autre fenêtre.',
  tooMany: 'Trop de personnes se connectent en ce moment. Réessayez dans une minute.',
  tooManyAttempts: 'Trop d’essais en ce moment. Réessayez dans une minute.',
  wrong: 'Le nom d’utilisateur ou le mot de passe est faux.',
  wrongCode: 'Ce code est faux ou a déjà été utilisé.',
  wrongAny: 'Le nom d’utilisateur, le mot de passe ou le code est faux.',
  codeMissing: 'Saisissez aussi le code de votre application d’authentification.',
  notTheSame: 'Les deux nouveaux mots de passe ne sont pas identiques.',
  otherSite: 'Ce formulaire a été envoyé par un autre site.',
}

export const pageTexts = { en, de, fr }
export type PageLanguage = keyof typeof pageTexts

/** The best supported language of an Accept-Language header such as `it, de-AT;q=0.8, en;q=0.5`; English by default. */
export function languageOf(accepted = ''): PageLanguage {
  const wanted = accepted.split(',').map((part) => {
    const [tag = '', weight = 'q=1'] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return { language: tag.split('-')[0]!, weight: Number(weight.replace('q=', '')) }
  })
  const best = wanted
    .filter(({ language, weight }) => Object.hasOwn(pageTexts, language) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]
  return (best?.language as PageLanguage | undefined) ?? 'en'
}
