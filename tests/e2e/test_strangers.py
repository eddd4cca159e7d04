from tests.e2e.conftest import Call, OpenTable


def test_a_request_from_another_page_or_by_another_name_is_refused(open_table: OpenTable, call: Call) -> None:
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    body = {"revision": anne.revision(), "action": {"type": "pick", "id": "roll"}}
    for header, value, status in (
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Host", "evil.example", 400),
    ):
        answer = anne.post("/answer", body, **{header: value})
        assert answer.status_code == status
        assert value in answer.json()["error"]
        assert anne.revision() == body["revision"]


def test_beyond_this_machine_a_request_without_the_token_is_refused(open_table: OpenTable, call: Call) -> None:
    table = open_table("play", "--players", "Anne", "Bart", "--host", "0.0.0.0")  # noqa: S104 - what is tested
    assert len(table.token) >= 20
    stranger = call(table, "")
    assert stranger.get("/table").status_code == 200
    refused = stranger.post("/button/roll/press")
    assert refused.status_code == 403
    assert "token" in refused.json()["error"]
    assert stranger.post("/button/roll/press", **{"X-Table-Token": "wrong"}).status_code == 403
    table.expected_complaints = "127.0.0.1 came with a wrong token.\n"
    assert stranger.post("/button/roll/press", **{"X-Table-Token": table.token}).status_code == 204
    friend = call(table, "")
    assert friend.get(f"/table?token={table.token}").status_code == 200
    assert friend.post("/button/roll/release").status_code == 204
