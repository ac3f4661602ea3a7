"""What is your Stem and Branch? asked on the page."""

from playwright.sync_api import Page, expect

from tests.frontend.person import Person


def ask_for(page: Page, date: str) -> None:
    page.locator("input[type=date]").fill(date)
    page.get_by_role("button", name="Look it up").click()


def test_a_birthday_tells_element_animal_name_card_and_the_years_dates(person: Person, page: Page) -> None:
    person.open("#/almanac")
    ask_for(page, "1984-02-15")
    born = page.locator(".born")
    expect(born.locator(".born-name")).to_have_text("Giáp Tý")
    expect(born.locator(".born-signs")).to_contain_text("Wood")
    expect(born.locator(".born-signs")).to_contain_text("Mouse")
    expect(born).to_contain_text("Lunar year 1984: February 2, 1984 to January 20, 1985")
    expect(born.locator(".before-tet")).to_have_count(0)
    born.get_by_role("link", name="Wood Mouse, rank 1").click()
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()


def test_a_birthday_before_tet_belongs_to_the_year_before_and_the_page_says_so(
    person: Person, page: Page
) -> None:
    person.open("#/almanac")
    ask_for(page, "1985-01-20")
    expect(page.locator(".born-name")).to_have_text("Giáp Tý")
    expect(page.locator(".before-tet")).to_have_text(
        "January 20, 1985 lies before Tết of that year, which was on January 21, 1985."
    )
    ask_for(page, "1985-01-21")  # Tết by the Vietnamese calendar; by the Chinese a month later
    expect(page.locator(".born-name")).to_have_text("Ất Sửu")
    expect(page.locator(".before-tet")).to_have_count(0)
