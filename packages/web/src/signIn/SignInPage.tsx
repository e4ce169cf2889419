// The page where a person signs in.

import { useWords } from '../words/words.tsx'
import { Entrance } from './Entrance.tsx'
import { SignInForm } from './SignInForm.tsx'

export function SignInPage() {
  const words = useWords().signIn
  return (
    <Entrance title={words.title} intro={words.intro}>
      <SignInForm />
      <p className="small quiet">{words.guest}</p>
    </Entrance>
  )
}
