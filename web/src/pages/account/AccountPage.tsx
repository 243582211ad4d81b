import { useUser } from '../../lib/use-user.ts';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { nameRole } from '../../ui/words/words.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import classes from './Account.module.css';
import { AccountSection } from './AccountSection.tsx';
import { CredentialsSection } from './CredentialsSection.tsx';
import { DevicesSection } from './DevicesSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProvidersSection } from './ProvidersSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { TotpSection } from './TotpSection.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { words } from './words/words.ts';

/** A place for what is one's own. */
export function AccountPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <div className={classes.sections}>
        <NameSection />
        <DevicesSection />
        <SettingsSection />
        <AppearanceSection />
        <CredentialsSection />
        <PasskeysSection />
        <TotpSection />
        <ProvidersSection />
        <PasswordSection />
        <SessionsSection />
      </div>
    </div>
  );
}

function NameSection() {
  const user = useUser();
  if (!user) return null;
  return (
    <AccountSection name="name" title={words.name}>
      <p>
        <Initials id={user.id} name={user.name} />
        <strong>
          <Revealed text={user.name} />
        </strong>
        <span className={classes.second}>
          <Revealed text={user.email} /> · {nameRole(user.role)}
        </span>
      </p>
      <p className={page.small}>{words.nameNote}</p>
    </AccountSection>
  );
}
