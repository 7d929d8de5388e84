TITLE, INTRODUCTION, TABLES = "pallets", "x", []
def run(csim):
    return []
