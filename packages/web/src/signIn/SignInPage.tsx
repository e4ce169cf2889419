// The page where a person signs in.

import { useFirstWords } from '../words/words.tsx'
import { Entrance } from './Entrance.tsx'
import { SignInForm } from './SignInForm.tsx'

export function SignInPage({ params }: { readonly params: { readonly loadAhead: () => Promise<void> } }) {
  const words = useFirstWords().signIn
  return (
    <Entrance title={words.title} intro={words.intro}>
      <SignInForm loadAhead={params.loadAhead} />
      <p className="small quiet">{words.guest}</p>
    </Entrance>
  )
}
